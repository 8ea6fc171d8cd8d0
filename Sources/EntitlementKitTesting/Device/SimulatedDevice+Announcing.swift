import AppStoreModel
import Foundation

extension SimulatedDevice {
  /// Announces a transaction as it is now, to whoever listens.
  @discardableResult
  func announce(_ id: String) -> String {
    if let purchase = mutate({ $0.purchase(id) }) { announce(purchase) }
    return id
  }

  func announce(_ purchase: SimulatedPurchase) {
    let heard = locked { () -> [AsyncStream<SimulatedPurchase>.Continuation] in
      let isMine = purchase.owner == store.owner && !purchase.isHidden
      return isQuiet || store.switches.isOffline || !isMine ? [] : Array(listeners.values)
    }
    for listener in heard { listener.yield(purchase) }
  }

  func announceStatus(_ originalID: String) {
    let heard = locked {
      isQuiet || store.switches.isOffline ? [] : Array(statusListeners.values)
    }
    for listener in heard { listener.yield(originalID) }
  }

  /// What is announced from now on, after what waits to be finished was handed over once.
  func announcements() -> AsyncStream<SimulatedPurchase> {
    let (stream, continuation) = AsyncStream<SimulatedPurchase>.makeStream()
    let id: Int = locked {
      nextListener += 1
      listeners[nextListener] = continuation
      counts.greatestListeners = max(counts.greatestListeners, listeners.count)
      for purchase in store.unfinished.reversed() {
        counts.handedOver.append(purchase.id)
        continuation.yield(purchase)
      }
      return nextListener
    }
    continuation.onTermination = { [weak self] _ in
      self?.locked { self?.listeners[id] = nil }
    }
    return stream
  }

  func statusAnnouncements() -> AsyncStream<String> {
    let (stream, continuation) = AsyncStream<String>.makeStream()
    let id: Int = locked {
      nextListener += 1
      statusListeners[nextListener] = continuation
      return nextListener
    }
    continuation.onTermination = { [weak self] _ in
      self?.locked { self?.statusListeners[id] = nil }
    }
    return stream
  }

  /// How many iterate over announcements now.
  package var listenerCount: Int { locked { listeners.count } }

  /// How many iterate over states now.
  package var statusListenerCount: Int { locked { statusListeners.count } }
}

extension SimulatedDevice {
  /// Announces a transaction once more, as it is now.
  public func announceAgain(_ id: SimulatedTransactionID) { announce(id) }

  /// Announces a copy of a transaction from earlier.
  package func announceCopy(_ purchase: SimulatedPurchase) { announce(purchase) }

  /// Announces a transaction though it is another customer's, as just after an account was changed.
  package func announceAsForeign(_ id: SimulatedTransactionID) {
    guard let purchase = mutate({ $0.purchase(id) }) else { return }
    for listener in locked({ Array(listeners.values) }) { listener.yield(purchase) }
  }
}
