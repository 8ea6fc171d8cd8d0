/// One right of this customer, at one moment, with what the answer rests on.
public struct Entitlement: Hashable, Sendable, Identifiable {
  public let id: String
  public let answer: EntitlementAnswer
  /// The answer, and where there is none the developer's policy.
  public let isAllowed: Bool
  public let source: AnswerSource
  /// The transaction that decided; absent where none did.
  public let transactionID: String?
  public let productID: String?
  /// Whether it holds only until an awaited renewal shows.
  public let isProvisional: Bool

  /// Whether it was refused because it was taken back.
  public var isTakenBack: Bool {
    if case .notEntitled(let denial) = answer { denial.isTakenBack } else { false }
  }
}

/// Where an answer comes from.
public enum AnswerSource: String, Hashable, Sendable {
  /// StoreKit, in this run of the app.
  case store
  /// The cache of an earlier run, which StoreKit has not confirmed.
  case cache
  /// The developer's server, asked where the device is blind.
  case server
  /// Nothing.
  case none
}

/// How far the store can be relied on now: only `live` sells, and no state grants.
public enum StoreState: String, Hashable, Sendable {
  /// No reading has been accepted yet.
  case connecting
  case live
  case unavailable
}
