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
  case appGivenBack
  case setAside(SetAsideItem)
  case storeState(StoreState)
  /// The cache of an earlier run was not used.
  case cacheIgnored(CacheProblem)
}

/// A transaction whose revocation changed.
public struct TakenBackPurchase: Hashable, Sendable {
  public let transactionID: String
  public let productID: String
  public let productType: ProductType?
  public let quantity: Int
  /// Absent where it was given back.
  public let revokedAt: Date?
  public let reason: RevocationReason?
  public let type: RevocationType?
  public let share: RevokedShare?
  public let appAccountToken: String?
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
