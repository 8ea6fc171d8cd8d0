/// Why signed data was refused: the first rule that failed, and in which JWS.
public struct VerificationError: Error, Hashable, Sendable {
  public let cause: VerificationRule
  /// The JWS that failed; anything but `notification` may be one inside a notification.
  public let part: SignedDataKind
  /// Whether the signature of the outermost JWS was found good, so that its body is worth keeping.
  public let isOriginProved: Bool

  public init(_ cause: VerificationRule, in part: SignedDataKind, isOriginProved: Bool? = nil) {
    self.cause = cause
    self.part = part
    self.isOriginProved = isOriginProved ?? cause.isJudgedAfterSignature
  }
}

extension VerificationError {
  /// The id of the rule that failed, as documented.
  public var rule: String { cause.rawValue }

  /// What the operator should do next.
  public var advice: String { cause.advice }

  /// Always false: the same bytes under the same configuration fail again.
  ///
  /// Verification asks nobody (no network, no clock of its own), so there is no outage to wait for.
  public var isTransient: Bool { false }

  func afterOrigin() -> VerificationError {
    VerificationError(cause, in: part, isOriginProved: true)
  }
}

extension VerificationError: CustomStringConvertible {
  /// Safe to log: nothing of the data is in it.
  public var description: String {
    "\(part.rawValue) refused by rule \(rule): \(cause.explanation)"
  }
}
