import AppStoreModel
import JSON5

/// Which members a request's body may have, so that a misspelt one is never passed over.
///
/// What a member's value must be is the route's own concern.
indirect enum BodyShape: Hashable, Sendable {
  /// Anything: what somebody else defines, as Apple does.
  case any
  /// A value whose members, if it has some, are not looked at.
  case value
  case object([String: BodyShape])
  case list(of: BodyShape)

  /// A body that has nothing to say.
  static let none = BodyShape.object([:])
  static let reason = BodyShape.members("reason")

  /// An object of plain values.
  static func members(_ names: String...) -> BodyShape {
    .object(Dictionary(uniqueKeysWithValues: names.map { ($0, .value) }))
  }

  /// The same object with more members.
  func with(_ name: String, _ shape: BodyShape = .value) -> BodyShape {
    guard case .object(var members) = self else { return self }
    members[name] = shape
    return .object(members)
  }

  /// Whether there is anything to say in it.
  var hasMembers: Bool {
    switch self {
    case .any, .value: false
    case .object(let members): !members.isEmpty
    case .list(let shape): shape.hasMembers
    }
  }

  /// Refuses members that are not of the shape, and names the one that was probably meant.
  func check(_ json: JSONValue, at path: String = "") throws(Problem) {
    switch (self, json) {
    case (.object(let known), .object(let members)):
      for member in members {
        guard let shape = known[member.name] else {
          throw Problem(
            .malformedBody, Self.refusal(of: member.name, at: path, known.keys.sorted()))
        }
        try shape.check(member.value, at: Self.inside(path, member.name))
      }
    case (.list(let shape), .array(let items)):
      for (place, item) in items.enumerated() {
        try shape.check(item, at: Self.inside(path, String(place)))
      }
    default: return
    }
  }

  private static func inside(_ path: String, _ name: String) -> String {
    path.isEmpty ? name : path + "." + name
  }

  private static func refusal(
    of name: String, at path: String, _ known: [String]
  ) -> String {
    let shown = StatedText.isPlain(name, upTo: 64) ? inside(path, name) : "A member"
    if let meant = name.nearest(in: known) { return "\(shown) is unknown; is \(meant) meant?" }
    let there = known.isEmpty ? "no members" : known.joined(separator: ", ")
    return "\(shown) is unknown; there are \(there)."
  }
}
