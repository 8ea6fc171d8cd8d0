import AppStoreModel

/// A call that is authorized and within the limits.
struct APICall {
  let request: APIRequest
  let environment: AppStoreEnvironment
  /// What stands for the stars of the path.
  let arguments: [String]
  /// By the store's clock.
  let moment: Timestamp
  let hostTime: Timestamp

  var id: String { arguments.first ?? "" }

  /// A body that must be an object.
  func object() throws(APIError) -> JSONValue {
    guard let value = try? JSONValue(json: request.body), case .object = value else {
      throw .badRequest("The body is not a JSON object.")
    }
    return value
  }

  /// A moment of the query.
  func moment(_ name: String, or error: APIError) throws(APIError) -> Timestamp? {
    guard let text = request[name] else { return nil }
    guard let number = Int64(text), number >= 0 else { throw error }
    return Timestamp(millisecondsSince1970: number)
  }
}

extension JSONValue {
  /// Absent when it is `null` or not there.
  func member(_ name: String) -> JSONValue? {
    self[name].flatMap { $0 == .null ? nil : $0 }
  }
}
