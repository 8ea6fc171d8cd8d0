import AppStoreModel

extension Scenario {
  /// Subscriptions while nobody wants money back.
  static let subscription = [
    Scenario(
      name: "08-subscribe-and-renew", summary: "A subscription begins and renews twice."
    ) { stage throws(StoreRefusal) in
      let chain = try subscribe(&stage)
      _ = try stage.renew(chain)
      _ = try stage.renew(chain)
    },
    Scenario(
      name: "09-free-trial-to-paid", summary: "A free week becomes a paid month."
    ) { stage throws(StoreRefusal) in
      let ada = stage.store.enroll("Ada")
      let chain = try stage.buy(.pro, ada, offer: .freeWeek)
      _ = try stage.renew(chain)
    },
    Scenario(
      name: "10-cancelled-and-regretted",
      summary: "Renewal is turned off, turned on again, and happens."
    ) { stage throws(StoreRefusal) in
      let chain = try subscribe(&stage)
      stage.waitDays(4)
      try stage.store.setAutoRenewal(false, of: chain, at: stage.now)
      stage.waitDays(9)
      try stage.store.setAutoRenewal(true, of: chain, at: stage.now)
      _ = try stage.renew(chain)
    },
    Scenario(
      name: "11-billing-retry", summary: "A payment fails without grace and succeeds 9 days later."
    ) { stage throws(StoreRefusal) in
      let chain = try subscribe(&stage)
      try stage.waitForEnd(chain)
      try stage.store.failToRenew(chain, at: stage.now)
      stage.waitDays(9)
      try stage.store.recover(chain, at: stage.now)
    },
    Scenario(
      name: "12-grace-recovered", summary: "A payment fails and succeeds within the grace period."
    ) { stage throws(StoreRefusal) in
      let chain = try subscribe(&stage)
      try stage.waitForEnd(chain)
      try stage.store.failToRenew(chain, grace: .days(16), at: stage.now)
      stage.waitDays(5)
      try stage.store.recover(chain, at: stage.now)
    },
    Scenario(
      name: "13-grace-to-the-end", summary: "A payment fails for good, 60 days long."
    ) { stage throws(StoreRefusal) in
      let chain = try subscribe(&stage)
      try stage.waitForEnd(chain)
      try stage.store.failToRenew(chain, grace: .days(16), at: stage.now)
      stage.waitDays(16)
      try stage.store.endGrace(of: chain, at: stage.now)
      stage.waitDays(44)
      try stage.store.expire(chain, .billingError, at: stage.now)
    },
    Scenario(
      name: "14-upgrade", summary: "A dearer tier replaces the cheaper one at once."
    ) { stage throws(StoreRefusal) in
      let chain = try subscribe(&stage, to: .basic)
      stage.waitDays(10)
      try stage.store.upgrade(chain, to: SimulatedProduct.pro.id, at: stage.now)
    },
    Scenario(
      name: "15-downgrade", summary: "A cheaper tier is chosen, undone, chosen again and begins."
    ) { stage throws(StoreRefusal) in
      let chain = try subscribe(&stage)
      for product in [SimulatedProduct.basic, .pro, .basic] {
        stage.waitDays(3)
        try stage.store.renewInto(product.id, chain, at: stage.now)
      }
      _ = try stage.renew(chain)
    },
    Scenario(
      name: "16-won-back", summary: "A customer who left comes back with an offer."
    ) { stage throws(StoreRefusal) in
      let ada = stage.store.enroll("Ada")
      let chain = try stage.buy(.pro, ada)
      stage.waitDays(8)
      try stage.store.setAutoRenewal(false, of: chain, at: stage.now)
      try stage.waitForEnd(chain)
      try stage.store.expire(chain, at: stage.now)
      stage.waitDays(20)
      _ = try stage.buy(.pro, ada, offer: .winBack)
    },
  ]

  static func subscribe(
    _ stage: inout Stage, to product: SimulatedProduct = .pro
  ) throws(StoreRefusal) -> String {
    let ada = stage.store.enroll("Ada")
    return try stage.buy(product, ada)
  }
}
