public import AppStoreModel
public import EntitlementLedger
public import Foundation

/// What the App Store signed of one revocation.
public struct RevocationEvidence: Hashable, Sendable {
  /// The transaction that was taken back, as decimal text.
  public let transactionID: String
  /// When the App Store took it back: StoreKit's `revocationDate`.
  public let date: Date
  /// What kind of taking back it is, whichever system the device runs.
  public let revocationClass: RevocationClass
  /// Whether it was bought, shared by the family, or an organisation's seat.
  public let ownershipType: InAppOwnershipType?
  /// Absent where Apple gave none; a number that we do not know is kept.
  public let reason: RevocationReason?
  /// Absent on systems older than 26.4; a word that we do not know is kept.
  public let type: RevocationType?
  /// How much of the purchase was taken back; absent where Apple did not say.
  public let share: RevokedShare?
}
