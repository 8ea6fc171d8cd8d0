public import EntitlementKit

extension Entitlements {
  /// Lets a simulated device stand in StoreKit's place.
  ///
  /// - Parameters:
  ///   - rules: What the app asks about.
  ///   - device: Moved by the test.
  ///   - cache: Kept from one `Entitlements` to the next, it is what a relaunch finds.
  ///   - deliver: Takes consumables.
  ///   - secondOpinion: Answers in the server's place.
  public convenience init(
    _ rules: [EntitlementRule], on device: SimulatedDevice,
    cache: any EntitlementCache = MemoryCache(), deliver: ConsumableDelivery? = nil,
    secondOpinion: SecondOpinion? = nil
  ) {
    self.init(
      rules, connection: SimulatedConnection(device), clock: SimulatedClock(device), cache: cache,
      deliver: deliver, secondOpinion: secondOpinion)
  }

  /// Takes in a purchase as the result of the purchase would be.
  public func merge(_ id: SimulatedTransactionID, from device: SimulatedDevice) async {
    guard let purchase = device.mutate({ $0.purchase(id) }) else { return }
    await merge(SimulatedConnection(device).item(purchase))
  }

  /// Waits until a condition of the answers holds, as it will once the kit has heard what happened.
  ///
  /// - Returns: Whether it came to hold within ten seconds.
  @discardableResult
  public func becomes(_ condition: @Sendable (Entitlements) -> Bool) async -> Bool {
    for _ in 0..<10_000 {
      if condition(self) { return true }
      try? await Task.sleep(nanoseconds: 1_000_000)
    }
    return condition(self)
  }
}
