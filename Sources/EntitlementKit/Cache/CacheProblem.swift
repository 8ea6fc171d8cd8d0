/// Why the cache of an earlier run was not used.
///
/// The cases stand in order of precedence.
public enum CacheProblem: Error, Hashable, Sendable {
  /// It could not be read: the name of the system's error.
  case unreadable(String)
  /// It is not what was written.
  case corrupted
  /// It was written by another version of the kit.
  case otherFormat(Int)
  /// It belongs to another app, or to another root of trust.
  case foreign
  /// It could not be written: the name of the system's error.
  case unwritable(String)

  /// Whether the same may succeed later.
  public var isTransient: Bool {
    switch self {
    case .unreadable, .unwritable: true
    case .corrupted, .otherFormat, .foreign: false
    }
  }

  /// What the app should do next.
  public var advice: String {
    switch self {
    case .unreadable, .unwritable: "Look at the folder's permissions and the free space."
    case .corrupted, .otherFormat, .foreign:
      "Nothing: it is written anew after the next look at the store."
    }
  }
}

extension CacheProblem: CustomStringConvertible {
  /// Safe to log.
  public var description: String {
    switch self {
    case .unreadable(let name): "the cache could not be read: \(name)"
    case .corrupted: "the cache is not what was written"
    case .otherFormat(let number): "the cache has format \(number)"
    case .foreign: "the cache belongs to another app"
    case .unwritable(let name): "the cache could not be written: \(name)"
    }
  }
}
