/// Why a proved payload cannot be a fact: it is stored and acknowledged, and changes nothing.
///
/// The cases stand in order of precedence.
public enum UnusableFact: Error, Hashable, Sendable {
  /// A member without which nothing can be decided, by Apple's name.
  case missing(String)
  /// The parts name different realms, apps or environments.
  case scopesDiffer
  /// No part names an environment that we know.
  case environmentUnknown
  /// The renewal, or the original transaction, is that of another chain.
  case chainsDiffer

  /// Whether the same payload could be used later without a change on our side.
  public var isTransient: Bool { false }

  /// What the operator should do next.
  public var advice: String {
    switch self {
    case .missing:
      "Nothing to do: it is kept, and an update that understands it can read it again."
    case .scopesDiffer, .chainsDiffer:
      "Look at where it was forwarded from: Apple signs parts that belong together."
    case .environmentUnknown:
      "It waits in quarantine: retry it once a version knows this environment."
    }
  }
}

extension UnusableFact: CustomStringConvertible {
  public var description: String {
    switch self {
    case .missing(let member): "has no \(member)"
    case .scopesDiffer: "its parts name different apps, environments or realms"
    case .environmentUnknown: "names no environment that is known"
    case .chainsDiffer: "its parts belong to different purchases"
    }
  }
}
