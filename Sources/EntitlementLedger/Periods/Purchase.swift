import AppStoreModel

/// One transaction of a chain, prepared for questions.
struct Purchase {
  let state: TransactionState
  let kind: PurchaseKind
  let entitlements: [String]?
  /// When it came to be: renewals are signed before they begin.
  let made: Timestamp
  /// The revocation with the greatest date, if it stands.
  let standing: RevocationAnswer?
  let isRevokedWithoutDate: Bool

  var copy: TransactionCopy { state.newest }
  var purchaseDate: Timestamp { state.newest.purchaseDate }

  var expiresDate: Timestamp? {
    if case .period(let expiresDate) = kind { expiresDate } else { nil }
  }

  /// Whether access of it ended by a revocation; a move to a bundle alone leaves it granting.
  var isRevoked: Bool {
    isRevokedWithoutDate || (standing?.endsAccess ?? false)
  }

  var isMovedToBundle: Bool {
    standing?.revocationClass == .bundleMove
  }

  /// Whether it was taken back before it could begin.
  var isRevokedBeforePurchase: Bool {
    guard let standing, standing.endsAccess else { return false }
    return standing.key.revocationDate < purchaseDate
  }

  /// Whether it can be the newest period: neither upgraded nor taken back before it began.
  var isEffective: Bool {
    expiresDate != nil && !copy.isUpgraded && !isRevokedBeforePurchase
  }

  /// The order in which purchases were made.
  static func precedes(_ left: Purchase, _ right: Purchase) -> Bool {
    if left.made != right.made { return left.made < right.made }
    if left.purchaseDate != right.purchaseDate { return left.purchaseDate < right.purchaseDate }
    return left.copy.transactionId < right.copy.transactionId
  }
}
