import AppStoreModel

/// One transaction of a chain, prepared for questions.
///
/// A class, since it holds whole copies: putting hundreds of them in order must not move those.
final class Purchase: Sendable {
  let state: TransactionState
  let kind: PurchaseKind
  let entitlements: [String]?
  /// When it came to be: renewals are signed before they begin.
  let made: Timestamp
  /// All that it was ever revoked by, by date.
  let revocations: ArraySlice<RevocationAnswer>
  /// The revocation with the greatest date, if it stands.
  let standing: RevocationAnswer?
  let isRevokedWithoutDate: Bool

  /// Finds its own among the revocations of the whole chain, which stand in order.
  init(
    _ state: TransactionState, of chain: Chain, _ catalog: Catalog, _ known: [RevocationAnswer]
  ) {
    let copy = state.newest
    self.state = state
    kind = PurchaseKind(copy, catalog.entry(for: copy.productId, boughtAt: copy.purchaseDate))
    entitlements = catalog.entitlements(of: copy.productId, boughtAt: copy.purchaseDate)
    made = min(copy.purchaseDate, state.firstSigned)
    revocations = known.answers(of: copy.transactionId)
    standing = revocations.last { $0.stands }
    isRevokedWithoutDate = chain.isRevokedWithoutDate(copy.transactionId, revocations)
  }

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

  /// Whether it was revoked at a moment, as far as is known by now.
  func stoodRevoked(at moment: Timestamp) -> Bool {
    revocations.contains {
      $0.revocationClass != .bundleMove && $0.key.revocationDate <= moment
        && moment < ($0.reversedAt ?? .distantFuture)
    }
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
