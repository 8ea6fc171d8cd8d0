/// Where the App Store's page of the app shows a product.
package struct SimulatedPromotion: Hashable, Sendable {
  package let productID: String
  /// Absent where App Store Connect decides.
  package let isVisible: Bool?
}

#if os(Linux)
  import Foundation

  extension SimulatedDevice {
    /// The customer begins to buy a product on the App Store's page of the app: an app hears of it at
    /// once, or when it next listens.
    package func chooseInAppStore(_ productID: String) {
      let listeners = locked { () -> [AsyncStream<String>.Continuation] in
        if intentListeners.isEmpty { waitingIntents.append(productID) }
        return Array(intentListeners.values)
      }
      for listener in listeners { listener.yield(productID) }
    }

    /// The App Store wants to show a sheet, for a reason by its number.
    package func showMessage(_ reason: Int) {
      for listener in locked({ Array(messageListeners.values) }) { listener.yield(reason) }
    }

    func intents() -> AsyncStream<String> {
      let (stream, continuation) = AsyncStream<String>.makeStream()
      let id = locked {
        nextListener += 1
        intentListeners[nextListener] = continuation
        for product in waitingIntents { continuation.yield(product) }
        waitingIntents = []
        return nextListener
      }
      continuation.onTermination = { [weak self] _ in
        self?.locked { self?.intentListeners[id] = nil }
      }
      return stream
    }

    func messageReasons() -> AsyncStream<Int> {
      let (stream, continuation) = AsyncStream<Int>.makeStream()
      let id = locked {
        nextListener += 1
        messageListeners[nextListener] = continuation
        return nextListener
      }
      continuation.onTermination = { [weak self] _ in
        self?.locked { self?.messageListeners[id] = nil }
      }
      return stream
    }
  }
#endif
