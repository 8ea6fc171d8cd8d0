/// Which root of trust vouches for a fact.
///
/// Everything under a root other than Apple's lives in a test realm of its own, whatever
/// environment it claims, so that data of a simulated App Store can never mix with real purchases.
public enum Realm: Hashable, Sendable {
  /// Signed under Apple Root CA - G3.
  case apple
  /// Signed under another root: the SHA-256 of its DER form, 64 lower-case hexadecimal digits.
  case test(fingerprint: String)
}

extension Realm: CustomStringConvertible {
  /// `apple`, or `test:` and the fingerprint: the form that the store and the API use.
  public var description: String {
    switch self {
    case .apple: "apple"
    case .test(let fingerprint): "test:" + fingerprint
    }
  }

  /// Reads the form that `description` writes.
  public init?(_ description: String) {
    if description == "apple" {
      self = .apple
      return
    }
    guard description.hasPrefix("test:") else { return nil }
    let fingerprint = description.dropFirst(5)
    guard fingerprint.utf8.count == 64, fingerprint.utf8.allSatisfy(Realm.isHexDigit) else {
      return nil
    }
    self = .test(fingerprint: String(fingerprint))
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
  }
}
