import AppStoreModel

extension SimulatedDevice {
  /// How a purchase sheet of the simulated device ends.
  public enum PurchaseSheet: Hashable, Sendable {
    /// The customer buys.
    case confirm
    /// The customer closes it.
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
    for product in takeWaiting() { announce(mutate { $0.order(product) }) }
  }

  /// The parent refuses everything that waits: nobody is told.
  public func declineAskToBuy() { _ = takeWaiting() }

  private func takeWaiting() -> [String] {
    locked {
      defer { askedFor = [] }
      return askedFor
    }
  }

  func answerPurchase(
    _ productID: String, quantity: Int32, appAccountToken: String?
  ) throws(SimulatedFailure) -> PurchaseSheetAnswer {
    let answer: PurchaseSheetAnswer = locked {
      switch purchaseSheet {
      case .cancel: return .cancelled
      case .askToBuy:
        askedFor.append(productID)
        return .waiting
      case .confirm:
        return confirm(
          mutate {
            $0.order(productID, quantity: quantity, appAccountToken: appAccountToken)
          })
      }
    }
    if case .cancelled = answer, mutate({ $0.switches.throwsWhenCancelled }) { throw .cancelled }
    return answer
  }

  private func confirm(_ id: String) -> PurchaseSheetAnswer {
    if mutate({ $0.switches.breaksPurchases }) { breakSignature(id) }
    announceOwn(id)
    return mutate { $0.purchase(id) }.map { .bought($0) } ?? .cancelled
  }
}
