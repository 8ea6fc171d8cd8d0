package import AppStoreModel
package import EntitlementKit

/// Feeds the kit from a simulated device in StoreKit's place.
package struct SimulatedConnection: StoreConnection {
  package let realm = Realm.test(fingerprint: String(repeating: "0", count: 64))
  package let bundleID: String?
  private let device: SimulatedDevice

  package init(_ device: SimulatedDevice) {
    self.device = device
    bundleID = device.mutate { $0.bundleID }
  }

  package func listen(
    standing: @Sendable () -> Void, _ handle: @Sendable (StoreTransaction) async -> Void
  ) async {
    let announced = device.announcements()
    standing()
    for await purchase in announced { await handle(item(purchase)) }
  }

  package func listenToStatuses(_ handle: @Sendable (StoreStatus) async -> Void) async {
    for await originalID in device.statusAnnouncements() {
      let store = device.mutate { $0 }
      if let status = device.status(of: originalID, in: store) { await handle(item(status)) }
    }
  }

  package func currentEntitlements() async -> [StoreTransaction] {
    device.readListed().map(item)
  }

  package func history() async -> [StoreTransaction] { device.readHistory().map(item) }

  package func unfinished() async -> [StoreTransaction] {
    device.read(\.unfinished).map(item)
  }

  package func statuses(ofGroup group: String) async throws(StoreFailure) -> [StoreStatus] {
    do throws(SimulatedFailure) {
      return try device.readStatuses(ofGroup: group).map(item)
    } catch {
      throw StoreFailure(error)
    }
  }

  package func appTransaction() async throws(StoreFailure) -> StoreAppTransaction? {
    let store = device.mutate { $0 }
    guard store.switches.system.hasAppTransaction else { return nil }
    guard let owner = store.owner else { throw .notSignedIn }
    return StoreAppTransaction(
      appTransactionID: store.switches.signsLikeXcode ? "" : owner,
      environment: store.switches.signsLikeXcode ? .xcode : store.environment,
      revocationDate: store.appRevocation)
  }

  package func sync() async throws(StoreFailure) {
    do throws(SimulatedFailure) {
      try device.sync()
    } catch {
      throw StoreFailure(error)
    }
  }

  package func item(_ purchase: SimulatedPurchase) -> StoreTransaction {
    let text = device.text(purchase)
    let device = device
    return StoreTransaction(
      jws: text.jws, payload: SignedPayload.transaction(text.json), failure: text.failure,
      finish: { device.finish(purchase.id) })
  }

  private func item(_ status: SimulatedStatus) -> StoreStatus {
    StoreStatus(
      state: status.state, transaction: item(status.transaction),
      renewal: status.renewal.map { renewal in
        let text = device.text(renewal)
        return StoreRenewal(jws: text.jws, payload: SignedPayload.renewal(text.json))
      })
  }
}

extension StoreFailure {
  init(_ failure: SimulatedFailure) {
    switch failure {
    case .offline: self = .offline
    case .notSignedIn: self = .notSignedIn
    case .cancelled: self = .cancelled
    }
  }
}
