/// The serial number of a certificate.
///
/// Shape: hexadecimal digits; colons, spaces, case and leading zeros make no difference.
public struct CertificateSerial: Hashable, Sendable {
  /// Upper-case digits without leading zeros.
  public let hexadecimal: String

  /// Reads what an operator wrote.
  ///
  /// - Throws: ``VerificationConfigurationError/unusableSerial(_:)``.
  public init(configured word: String) throws(VerificationConfigurationError) {
    let digits = word.uppercased().filter { $0 != ":" && $0 != " " }
    guard !digits.isEmpty, digits.utf8.count <= 64, digits.utf8.allSatisfy(Self.isDigit) else {
      throw .unusableSerial(word)
    }
    self.init(digits: digits)
  }

  init(digits: String) {
    let significant = digits.drop { $0 == "0" }
    hexadecimal = significant.isEmpty ? "0" : String(significant)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "A")...UInt8(ascii: "F")).contains(byte)
  }
}

extension CertificateSerial: CustomStringConvertible {
  public var description: String { hexadecimal }
}
