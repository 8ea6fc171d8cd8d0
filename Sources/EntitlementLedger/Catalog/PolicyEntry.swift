public import AppStoreModel

/// How doubt is treated, from a moment on.
public struct PolicyEntry: Hashable, Sendable {
  /// What `unknown` means where only yes or no will do.
  public enum UnknownCustomer: String, Hashable, Sendable {
    case allow, deny
  }

  public let effectiveFrom: Timestamp
  /// How long access stays at expiry while a renewal is awaited.
  public let renewalLeeway: TimeSpan
  public let unknownCustomer: UnknownCustomer

  public init(
    effectiveFrom: Timestamp = .distantPast, renewalLeeway: TimeSpan = .minutes(60),
    unknownCustomer: UnknownCustomer = .deny
  ) {
    self.effectiveFrom = effectiveFrom
    self.renewalLeeway = renewalLeeway
    self.unknownCustomer = unknownCustomer
  }
}
