import AppStoreModel

extension SimulatedDevice {
  /// How a purchase sheet of the simulated device ends.
  public enum PurchaseSheet: Hashable, Sendable {
    case confirm
    case cancel
    /// A parent has yet to agree.
    case askToBuy
  }

  enum PurchaseSheetAnswer {
    case bought(SimulatedPurchase)
    case cancelled
    case waiting
  }

  /// Decides how the next purchase sheets end.
  public func answerPurchaseSheets(_ sheet: PurchaseSheet) {
    locked { purchaseSheet = sheet }
  }

  /// The parent agrees to everything that waits.
  public func approveAskToBuy() {
    let waiting = locked {
      defer { askedFor = [] }
      return askedFor
    }
    for product in waiting { announce(mutate { $0.buy(product, type: .nonConsumable) }) }
  }

  func answerPurchase(
    _ productID: String, quantity: Int32, appAccountToken: String?
  ) -> PurchaseSheetAnswer {
    locked {
      switch purchaseSheet {
      case .cancel: return .cancelled
      case .askToBuy:
        askedFor.append(productID)
        return .waiting
      case .confirm:
        let known = store.purchases.last {
          $0.productID == productID && $0.revocation == nil && $0.type == .nonConsumable
        }
        if let known { return .bought(known) }
        let id = store.buy(
          productID, type: .nonConsumable, quantity: quantity, appAccountToken: appAccountToken)
        return store.purchase(id).map { .bought($0) } ?? .cancelled
      }
    }
  }
}
