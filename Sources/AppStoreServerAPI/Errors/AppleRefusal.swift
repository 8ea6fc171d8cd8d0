/// Apple's error object.
///
/// Source: Apple's `Error`.
public struct AppleRefusal: Hashable, Sendable {
  /// The HTTP status.
  public let status: Int
  public let code: AppleErrorCode
  /// Apple's words; they may repeat what was asked.
  public let message: String?

  public init(status: Int, code: AppleErrorCode, message: String? = nil) {
    self.status = status
    self.code = code
    self.message = message
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
