import AppStoreModel
import Foundation

/// Names a transaction of a simulated device.
public typealias SimulatedTransactionID = String

extension SimulatedDevice {
  /// Puts a product on sale, for purchases through StoreKit's own sheet; one that is not named is a
  /// non-consumable.
  public func sell(_ productID: String, as kind: SimulatedProductKind) {
    mutate { $0.catalog[productID] = kind }
  }

  /// Buys something that stays.
  @discardableResult
  public func buyNonConsumable(_ productID: String) -> SimulatedTransactionID {
    announceOwn(mutate { $0.buy(productID, type: .nonConsumable) })
  }

  /// Buys something to be used up.
  @discardableResult
  public func buyConsumable(_ productID: String, quantity: Int = 1) -> SimulatedTransactionID {
    announceOwn(
      mutate { $0.buy(productID, type: .consumable, quantity: Int32(clamping: quantity)) })
  }

  /// Buys a subscription that ends by itself; the app states how long it lasts.
  @discardableResult
  public func buyNonRenewing(_ productID: String) -> SimulatedTransactionID {
    announceOwn(mutate { $0.buy(productID, type: .nonRenewingSubscription) })
  }

  /// Subscribes, for periods of so many days.
  @discardableResult
  public func subscribe(
    to productID: String, group: String = "group", days: Int = 30
  ) -> SimulatedTransactionID {
    announceOwn(
      mutate {
        $0.buy(
          productID, type: .autoRenewableSubscription, group: group, period: .days(Int64(days)))
      })
  }

  /// Gets a family member's purchase shared.
  @discardableResult
  public func receiveFamilyShare(of productID: String) -> SimulatedTransactionID {
    announce(mutate { $0.buy(productID, type: .nonConsumable, ownership: .familyShared) })
  }

  /// Gets a seat assigned by an organisation.
  @discardableResult
  public func receiveSeat(
    of productID: String, group: String = "group", days: Int = 30
  ) -> SimulatedTransactionID {
    announce(
      mutate {
        $0.buy(
          productID, type: .autoRenewableSubscription, group: group, period: .days(Int64(days)),
          ownership: .assigned)
      })
  }

  /// Renews a subscription: the next period begins where the last one ended.
  @discardableResult
  public func renew(_ id: SimulatedTransactionID) -> SimulatedTransactionID? {
    let original = original(id)
    guard let next = mutate({ $0.renew(original) }) else { return nil }
    if mutate({ $0.switches.announcesTwice }) { announce(next) }
    return announce(next)
  }

  /// Renews a subscription in a way that this device never gets to know.
  @discardableResult
  public func renewUnseen(_ id: SimulatedTransactionID) -> SimulatedTransactionID? {
    let original = original(id)
    return mutate { $0.renew(original, hidden: true) }
  }

  /// Moves a subscription to a higher tier now.
  @discardableResult
  public func upgrade(
    _ id: SimulatedTransactionID, to productID: String, days: Int = 30
  ) -> SimulatedTransactionID? {
    let original = original(id)
    guard let next = mutate({ $0.upgrade(original, to: productID, period: .days(Int64(days))) })
    else { return nil }
    return announceOwn(next)
  }

  /// Moves a subscription into a bundle: no money goes back.
  @discardableResult
  public func moveToBundle(
    _ id: SimulatedTransactionID, bundle productID: String, group: String = "bundle",
    days: Int = 30
  ) -> SimulatedTransactionID? {
    let original = original(id)
    let last = mutate { $0.newest(of: original)?.id }
    let next = mutate {
      $0.moveToBundle(original, bundle: productID, group: group, period: .days(Int64(days)))
    }
    guard let next, let last else { return nil }
    announce(last)
    return announce(next)
  }

  /// Leaves a bundle for one of its subscriptions, which begins where the bundle's period ends.
  @discardableResult
  public func leaveBundle(
    _ id: SimulatedTransactionID, for productID: String, group: String = "group", days: Int = 30
  ) -> SimulatedTransactionID? {
    let original = original(id)
    let next = mutate {
      $0.leaveBundle(original, to: productID, group: group, period: .days(Int64(days)))
    }
    guard let next else { return nil }
    announceStatus(original)
    return announce(next)
  }

  /// The customer turns auto-renewal off, or on again.
  public func setAutoRenew(_ id: SimulatedTransactionID, _ isOn: Bool) {
    let original = original(id)
    mutate {
      $0.changeRenewal(original) {
        $0.willRenew = isOn
        $0.intent = nil
      }
    }
    announceStatus(original)
  }

  /// A renewal could not be paid, and access goes on for so many days after the period.
  public func failBilling(_ id: SimulatedTransactionID, graceDays: Int = 0) {
    let original = original(id)
    mutate { store in
      let end = store.newest(of: original)?.expiresDate
      store.changeRenewal(original) {
        $0.isInBillingRetry = true
        $0.intent = .billingError
        $0.graceEnd = graceDays > 0 ? end?.adding(.days(Int64(graceDays))) : nil
      }
    }
    announceStatus(original)
  }

  private func original(_ id: String) -> String {
    mutate { $0.purchase(id)?.originalID ?? id }
  }

  @discardableResult
  func announceOwn(_ id: String) -> String {
    if mutate({ $0.switches.announcesOwnPurchases }) { announce(id) }
    return id
  }
}
