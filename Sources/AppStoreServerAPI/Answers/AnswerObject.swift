import AppStoreModel

/// An object of an answer, read member by member; unknown members are passed over.
struct AnswerObject {
  private let value: JSONValue
  private let path: String

  /// Reads a whole body.
  ///
  /// - Throws: ``AppStoreServerError/unreadableAnswer(_:)`` when it is not one JSON object.
  init(_ body: [UInt8]) throws(AppStoreServerError) {
    do throws(MalformedPayload) {
      value = try JSONValue(json: body)
    } catch {
      throw .unreadableAnswer(error.description)
    }
    path = ""
    guard case .object = value else { throw .unreadableAnswer("no object") }
  }

  private init(_ value: JSONValue, path: String) throws(AppStoreServerError) {
    self.value = value
    self.path = path + "."
    guard case .object = value else { throw .unreadableAnswer("\(path) is no object") }
  }

  func text(_ name: String) throws(AppStoreServerError) -> String? {
    guard let member = member(name) else { return nil }
    guard let text = member.string else { throw wrong(name) }
    return text
  }

  func number(_ name: String) throws(AppStoreServerError) -> Int64? {
    guard let member = member(name) else { return nil }
    guard let number = member.integer else { throw wrong(name) }
    return number
  }

  func moment(_ name: String) throws(AppStoreServerError) -> Timestamp? {
    try number(name).map { Timestamp(millisecondsSince1970: $0) }
  }

  func flag(_ name: String) throws(AppStoreServerError) -> Bool? {
    guard let member = member(name) else { return nil }
    guard case .bool(let flag) = member else { throw wrong(name) }
    return flag
  }

  func signed(_ name: String) throws(AppStoreServerError) -> UnverifiedJWS {
    UnverifiedJWS(try required(name, text(name)))
  }

  func signedList(_ name: String) throws(AppStoreServerError) -> [UnverifiedJWS] {
    guard let member = member(name) else { return [] }
    guard let values = member.array else { throw wrong(name) }
    var list: [UnverifiedJWS] = []
    for value in values {
      guard let text = value.string else { throw wrong(name) }
      list.append(UnverifiedJWS(text))
    }
    return list
  }

  func objects(_ name: String) throws(AppStoreServerError) -> [AnswerObject] {
    guard let member = member(name) else { return [] }
    guard let values = member.array else { throw wrong(name) }
    var list: [AnswerObject] = []
    for value in values { list.append(try AnswerObject(value, path: path + name)) }
    return list
  }

  func required<Value>(
    _ name: String, _ value: Value?
  ) throws(AppStoreServerError) -> Value {
    guard let value else { throw .unreadableAnswer("\(path)\(name) is missing") }
    return value
  }

  /// `null` is as good as absent.
  private func member(_ name: String) -> JSONValue? {
    let member = value[name]
    return member == .null ? nil : member
  }

  private func wrong(_ name: String) -> AppStoreServerError {
    .unreadableAnswer("\(path)\(name) is of another kind")
  }
}
