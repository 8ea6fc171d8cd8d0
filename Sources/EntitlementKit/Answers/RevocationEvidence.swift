public import AppStoreModel
public import EntitlementLedger
public import Foundation

/// What the App Store signed of one revocation.
public struct RevocationEvidence: Hashable, Sendable {
  public let transactionID: String
  public let date: Date
  public let revocationClass: RevocationClass
  /// Absent where Apple gave none; a number that we do not know is kept.
  public let reason: RevocationReason?
  /// Absent on systems older than 26.4; a word that we do not know is kept.
  public let type: RevocationType?
  /// How much of the purchase was taken back; absent where Apple did not say.
  public let share: RevokedShare?
}
