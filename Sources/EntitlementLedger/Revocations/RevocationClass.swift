/// What kind of revocation it is, and with it whether money can go back.
public enum RevocationClass: String, Hashable, Sendable, CaseIterable {
  case fullRefund
  case proratedRefund
  case familyRevocation
  case assignmentRevocation
  /// The customer moved to a bundle: access goes on until the old period ends or the bundle begins.
  case bundleMove
  /// Access ends, no money is booked, and it is listed.
  case unclassified

  /// Whether it is a refund when the transaction was bought rather than shared.
  public var isRefund: Bool {
    self == .fullRefund || self == .proratedRefund
  }
}
