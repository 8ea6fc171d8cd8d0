/// Apple's error object.
///
/// Source: Apple's `Error`.
public struct AppleRefusal: Hashable, Sendable {
  public static let longestMessage = 500

  /// The HTTP status.
  public let status: Int
  public let code: AppleErrorCode
  /// Apple's words; they may repeat what was asked.
  ///
  /// Range: at most ``longestMessage`` Unicode scalars; what is longer is cut.
  public let message: String?

  public init(status: Int, code: AppleErrorCode, message: String? = nil) {
    self.status = status
    self.code = code
    self.message = message.map {
      String(String.UnicodeScalarView($0.unicodeScalars.prefix(Self.longestMessage)))
    }
  }
}

extension AppleRefusal: CustomStringConvertible, CustomDebugStringConvertible {
  /// Safe to log: the number and its name.
  public var description: String {
    if case .unknown(let number) = code { return "App Store error \(number), unknown to us" }
    return "App Store error \(code.rawValue), \(code)"
  }

  public var debugDescription: String {
    message.map { description + ": " + $0 } ?? description
  }
}
