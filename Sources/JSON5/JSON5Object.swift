/// Reads the members of an object by name, and notices those that nobody asked for.
public struct JSON5Object: Sendable {
  /// In the order in which they stand.
  public let members: [JSON5Value.Member]
  public let place: Place
  /// Shape: `apps[0]`; empty at the top.
  public let path: String

  /// - Throws: ``JSON5Error`` when the value is no object.
  public init(_ value: JSON5Value, path: String = "") throws(JSON5Error) {
    guard case .object(let members) = value.content else {
      throw JSON5Error(
        place: value.place, path: path, problem: "expected an object, found \(value.kind)")
    }
    self.members = members
    place = value.place
    self.path = path
  }

  public var names: [String] { members.map(\.name) }

  /// Where a member's name stands; the object's own place when it is absent.
  public func place(of name: String) -> Place {
    members.first { $0.name == name }?.place ?? place
  }

  /// Refuses members with any other name, and names the one that was probably meant.
  public func allow(only known: [String]) throws(JSON5Error) {
    for member in members where !known.contains(member.name) {
      let hint = member.name.nearest(in: known).map { "; is \($0) meant?" }
      throw JSON5Error(
        place: member.place, path: inside(member.name),
        problem: "no such setting" + (hint ?? "; there are " + known.joined(separator: ", ")))
    }
  }

  public func string(_ name: String) throws(JSON5Error) -> String? {
    guard let value = value(name) else { return nil }
    guard case .string(let text) = value.content else { throw wrong(name, "text", value) }
    return text
  }

  public func bool(_ name: String) throws(JSON5Error) -> Bool? {
    guard let value = value(name) else { return nil }
    guard case .bool(let flag) = value.content else { throw wrong(name, "true or false", value) }
    return flag
  }

  /// A whole number in `range`.
  public func integer(
    _ name: String, in range: ClosedRange<Int64> = .min ... .max
  ) throws(JSON5Error) -> Int64? {
    guard let value = value(name) else { return nil }
    guard case .integer(let number) = value.content else {
      throw wrong(name, "a whole number", value)
    }
    guard range.contains(number) else {
      throw JSON5Error(
        place: value.place, path: inside(name),
        problem: "expected \(range.lowerBound) to \(range.upperBound), found \(number)")
    }
    return number
  }

  public func object(_ name: String) throws(JSON5Error) -> JSON5Object? {
    guard let value = value(name) else { return nil }
    return try JSON5Object(value, path: inside(name))
  }

  public func objects(_ name: String) throws(JSON5Error) -> [JSON5Object]? {
    guard let values = try list(name) else { return nil }
    var objects: [JSON5Object] = []
    for (index, value) in values.enumerated() {
      objects.append(try JSON5Object(value, path: inside(name) + "[\(index)]"))
    }
    return objects
  }

  public func strings(_ name: String) throws(JSON5Error) -> [String]? {
    guard let values = try list(name) else { return nil }
    var texts: [String] = []
    for (index, value) in values.enumerated() {
      guard case .string(let text) = value.content else {
        throw wrong("\(name)[\(index)]", "text", value)
      }
      texts.append(text)
    }
    return texts
  }

  /// The member's value, which must be there.
  public func required<Value>(_ name: String, _ value: Value?) throws(JSON5Error) -> Value {
    guard let value else {
      throw JSON5Error(place: place, path: inside(name), problem: "is missing")
    }
    return value
  }

  /// The failure of a member whose value is of the right kind and still cannot be used.
  public func refusal(_ name: String, _ problem: String) -> JSON5Error {
    JSON5Error(place: value(name)?.place ?? place, path: inside(name), problem: problem)
  }

  private func list(_ name: String) throws(JSON5Error) -> [JSON5Value]? {
    guard let value = value(name) else { return nil }
    guard case .array(let values) = value.content else { throw wrong(name, "a list", value) }
    return values
  }

  /// The member's value; null is absence.
  private func value(_ name: String) -> JSON5Value? {
    guard let value = members.first(where: { $0.name == name })?.value, value.content != .null
    else { return nil }
    return value
  }

  private func inside(_ name: String) -> String {
    path.isEmpty ? name : path + "." + name
  }

  private func wrong(_ name: String, _ expected: String, _ value: JSON5Value) -> JSON5Error {
    JSON5Error(
      place: value.place, path: inside(name), problem: "expected \(expected), found \(value.kind)")
  }
}
