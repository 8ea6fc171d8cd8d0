import AppStoreModel

extension Scenario {
  /// Notifications that come late.
  static let delivery = [
    Scenario(
      name: "24-late-retry",
      summary: "A refund is reversed; then the refund's notification is sent again."
    ) { stage throws(StoreRefusal) in
      let chain = try subscribe(&stage)
      stage.waitDays(6)
      try stage.refund(chain)
      stage.wait(.minutes(20))
      try stage.store.reverseRefund(of: chain, at: stage.now)
      stage.wait(.minutes(40))
      stage.store.sendAgain(1)
    }
  ]
}
