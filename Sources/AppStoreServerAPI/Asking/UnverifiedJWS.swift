/// Signed data as it came over the wire: nobody has checked the signature yet.
public struct UnverifiedJWS: Hashable, Sendable {
  /// Shape: a compact JWS.
  public let text: String

  public init(_ text: String) {
    self.text = text
  }

  /// The text in the form that the verifier takes.
  public var bytes: [UInt8] { Array(text.utf8) }
}

extension UnverifiedJWS: CustomStringConvertible {
  /// Safe to log: nothing of the data is in it.
  public var description: String { "unverified JWS of \(text.utf8.count) bytes" }
}
