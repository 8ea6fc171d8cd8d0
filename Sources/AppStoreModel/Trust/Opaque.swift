/// A proved payload of a shape we do not understand: stored and acknowledged, changes nothing.
public struct Opaque: Hashable, Sendable {
  /// The payload's JSON text, UTF-8, as it was signed.
  public let json: [UInt8]
  /// What could not be understood, safe to log.
  public let reason: String

  public init(json: [UInt8], reason: String) {
    self.json = json
    self.reason = reason
  }
}
