import AppStoreModel

extension Scenario {
  /// Products that are bought once.
  static let oneTime = [
    Scenario(name: "01-test", summary: "App Store Connect's test button.") {
      stage throws(StoreRefusal) in
      stage.store.sendTest(at: stage.now)
    },
    Scenario(name: "02-consumable", summary: "Coins are bought.") { stage throws(StoreRefusal) in
      let ada = stage.store.enroll("Ada")
      _ = try stage.buy(.coins, ada)
    },
    Scenario(
      name: "03-consumable-partly-refunded",
      summary: "Three packs of coins are bought; a third of the money goes back."
    ) { stage throws(StoreRefusal) in
      let ada = stage.store.enroll("Ada")
      let coins = try stage.buy(.coins, ada, quantity: 3)
      stage.waitDays(2)
      try stage.store.requestRefund(of: coins, at: stage.now)
      stage.wait(.hours(20))
      try stage.refund(coins, prorated: 33_333)
    },
    Scenario(
      name: "04-non-consumable-refunded",
      summary: "A lasting purchase is refunded in full."
    ) { stage throws(StoreRefusal) in
      _ = try buyAndRefund(&stage)
    },
    Scenario(
      name: "05-refund-reversed",
      summary: "The App Store takes a refund back after 40 days: access and money return."
    ) { stage throws(StoreRefusal) in
      _ = try buyRefundAndReverse(&stage)
    },
    Scenario(
      name: "06-refunded-again",
      summary: "Refunded, reversed and refunded again: the money goes back once."
    ) { stage throws(StoreRefusal) in
      let themes = try buyRefundAndReverse(&stage)
      stage.waitDays(3)
      try stage.refund(themes, because: .developerIssue)
    },
    Scenario(
      name: "07-refund-declined", summary: "A refund is asked for and declined: nothing changes."
    ) { stage throws(StoreRefusal) in
      let ada = stage.store.enroll("Ada")
      let themes = try stage.buy(.themes, ada)
      stage.waitDays(1)
      try stage.store.requestRefund(of: themes, because: .unintendedPurchase, at: stage.now)
      stage.wait(.hours(12))
      try stage.store.declineRefund(of: themes, at: stage.now)
    },
  ]

  private static func buyAndRefund(_ stage: inout Stage) throws(StoreRefusal) -> String {
    let ada = stage.store.enroll("Ada")
    let themes = try stage.buy(.themes, ada)
    stage.waitDays(5)
    try stage.refund(themes, because: .developerIssue)
    return themes
  }

  private static func buyRefundAndReverse(_ stage: inout Stage) throws(StoreRefusal) -> String {
    let themes = try buyAndRefund(&stage)
    stage.waitDays(40)
    try stage.store.reverseRefund(of: themes, at: stage.now)
    return themes
  }
}
