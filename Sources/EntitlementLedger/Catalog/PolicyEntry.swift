public import AppStoreModel

/// How doubt is treated, from a moment on.
public struct PolicyEntry: Hashable, Sendable {
  /// What `unknown` means where only yes or no will do.
  public enum UnknownCustomer: String, Hashable, Sendable {
    case allow, deny
  }

  /// What becomes of credits that were spent before their purchase was refunded.
  public enum SpentCredits: String, Hashable, Sendable, CaseIterable {
    /// They are owed: what comes into the balance later pays them first.
    case debt
    /// Nothing is drawn from the balance while the refund stands.
    case freeze
    /// They are written down as lost.
    case writeOff
  }

  public let effectiveFrom: Timestamp
  /// How long access stays at expiry while a renewal is awaited.
  public let renewalLeeway: TimeSpan
  public let unknownCustomer: UnknownCustomer
  public let spentCredits: SpentCredits

  public init(
    effectiveFrom: Timestamp = .distantPast, renewalLeeway: TimeSpan = .minutes(60),
    unknownCustomer: UnknownCustomer = .deny, spentCredits: SpentCredits = .debt
  ) {
    self.effectiveFrom = effectiveFrom
    self.renewalLeeway = renewalLeeway
    self.unknownCustomer = unknownCustomer
    self.spentCredits = spentCredits
  }
}
