public import AppStoreModel
public import Foundation

/// Something that an app should hear of the moment it happens.
public enum EntitlementChange: Hashable, Sendable {
  /// Access begins.
  case granted(Entitlement)
  /// Access ends because it was taken back; the answer holds the evidence.
  case revoked(Entitlement)
  /// Access returns after it was taken back.
  case restored(Entitlement)
  /// Access ends because its time is over or something took its place.
  case ended(Entitlement)
  /// The store stopped vouching for it.
  case uncertain(Entitlement)
  /// Access stays or stays away; its end, its evidence or its source differ.
  case updated(Entitlement)
  /// One transaction was taken back, whether or not any access changed: a consumable, an earlier
  /// period, a share of a quantity.
  case purchaseTakenBack(TakenBackPurchase)
  /// One transaction that was taken back is clean again.
  case purchaseGivenBack(TakenBackPurchase)
  /// A subscription moved into a bundle: no money went back, and the customer keeps access.
  case movedToBundle(TakenBackPurchase)
  /// The App Store took back the app itself, a paid one.
  case appTakenBack(at: Date)
  /// A paid app that had been taken back is the customer's again.
  case appGivenBack
  /// StoreKit handed over something that counts for nothing, with the reason.
  case setAside(SetAsideItem)
  /// The store can be relied on more, or less, than before.
  case storeState(StoreState)
  /// The cache of an earlier run was not used.
  case cacheIgnored(CacheProblem)
  /// The server takes no reports, or not all, for a reason that the developer should hear.
  case reportingFailed(ReportingProblem)
  /// The server takes reports again.
  case reportingResumed
}

/// A transaction whose revocation changed.
public struct TakenBackPurchase: Hashable, Sendable {
  /// What the app should key its own books by.
  public let transactionID: String
  /// The product that was bought.
  public let productID: String
  /// Apple's word for the kind of product; absent where Apple gave none.
  public let productType: ProductType?
  /// Whether it was bought, shared by the family, or an organisation's seat.
  public let ownershipType: InAppOwnershipType?
  /// How many were bought at once, of which ``share`` was taken back.
  public let quantity: Int
  /// Absent where it was given back.
  public let revocationDate: Date?
  /// Apple's number for why; absent where it was given back, or Apple gave none.
  public let reason: RevocationReason?
  /// Apple's word for the kind of revocation; absent on systems older than 26.4.
  public let type: RevocationType?
  /// How much of the purchase was taken back; absent where Apple did not say.
  public let share: RevokedShare?
  /// What the app passed with the purchase; absent where it passed nothing.
  public let appAccountToken: UUID?
}

extension EntitlementChange {
  /// What happened between two answers about the same right; `nil` where nothing did.
  static func between(_ old: Entitlement, _ new: Entitlement) -> EntitlementChange? {
    guard old != new else { return nil }
    switch (old.answer, new.answer) {
    case (.entitled, .entitled), (.unknown(.some), .entitled): return .updated(new)
    case (_, .entitled):
      return old.isTakenBack && old.transactionID == new.transactionID
        ? .restored(new) : .granted(new)
    case (.entitled, .notEntitled), (.unknown(.some), .notEntitled):
      return new.isTakenBack ? .revoked(new) : .ended(new)
    case (.entitled, .unknown): return .uncertain(new)
    case (.notEntitled, .notEntitled) where new.isTakenBack && !old.isTakenBack:
      return .revoked(new)
    default: return .updated(new)
    }
  }
}

extension EntitlementChange {
  /// What an item says of its own purchase, besides any access.
  init?(_ taking: Holdings.Taking) {
    switch taking {
    case .repeated: return nil
    case .setAside(let item): self = .setAside(item)
    case .news(let news):
      let purchase = TakenBackPurchase(news.now)
      if news.isTakenBack {
        self = news.isBundleMove ? .movedToBundle(purchase) : .purchaseTakenBack(purchase)
      } else if news.isGivenBack {
        self = .purchaseGivenBack(purchase)
      } else {
        return nil
      }
    }
  }
}
