/// Why a JSON text is not the payload that was expected.
public struct MalformedPayload: Error, Hashable, Sendable {
  /// What was wrong with it.
  public enum Reason: Hashable, Sendable {
    /// The text is not JSON: what should have stood there.
    case notJSON(expected: String)
    case invalidUTF8
    /// More than ``JSONReader/greatestDepth`` objects and arrays inside each other.
    case tooDeep
    case duplicateMember
    case wrongType(expected: String, found: String)
    case outOfRange(expected: String)
  }

  public let reason: Reason
  /// Where: member names from the outside in, such as `data.signedDate`; empty at the top.
  public private(set) var path: String
  /// How many bytes into the text.
  public let offset: Int

  package init(_ reason: Reason, path: String = "", offset: Int) {
    self.reason = reason
    self.path = path
    self.offset = offset
  }

  /// The same failure, seen from the object that holds `member`.
  package func inside(_ member: String) -> MalformedPayload {
    var outer = self
    outer.path = path.isEmpty ? member : member + "." + path
    return outer
  }
}

extension MalformedPayload: CustomStringConvertible {
  /// Safe to log: names members and kinds, never values.
  public var description: String {
    let place = path.isEmpty ? "at byte \(offset)" : "in \(path), at byte \(offset)"
    return "\(sentence) \(place)"
  }

  private var sentence: String {
    switch reason {
    case .notJSON(let expected): "not JSON: \(expected) expected"
    case .invalidUTF8: "text that is not UTF-8"
    case .tooDeep: "objects nested too deeply"
    case .duplicateMember: "a member that stands twice"
    case .wrongType(let expected, let found): "\(expected) expected, found \(found)"
    case .outOfRange(let expected): "a number outside \(expected)"
    }
  }
}
