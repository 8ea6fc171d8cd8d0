public import AppStoreModel

/// One right of this customer, at one moment, with what the answer rests on.
public struct Entitlement: Hashable, Sendable, Identifiable {
  /// The right that was asked about, by the word that its rule gives it.
  public let id: String
  /// One of three: entitled, not entitled with the evidence, or unknown.
  public let answer: EntitlementAnswer
  /// The answer, and where there is none the developer's policy.
  public let isAllowed: Bool
  /// Who stands behind the answer.
  public let source: AnswerSource
  /// The transaction that decided; absent where none did.
  ///
  /// Shape: StoreKit's `Transaction.id` as decimal text.
  public let transactionID: String?
  /// The product of that transaction; absent where none decided.
  public let productID: String?
  /// Whether it holds only until an awaited renewal shows.
  public let isProvisional: Bool
  /// Whether that transaction was bought, is shared by the family, or is an organisation's seat; absent
  /// where none decided.
  public internal(set) var ownershipType: InAppOwnershipType? = nil

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
  /// StoreKit answers.
  case live
  /// StoreKit shows no sign of life, also after it was asked again.
  case unavailable
}
