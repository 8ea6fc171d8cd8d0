import AppStoreModel

extension Scenario {
  /// Subscriptions whose money goes back.
  static let subscriptionRefund = [
    Scenario(
      name: "18-running-period-refunded",
      summary: "The running period is refunded: access ends at once."
    ) { stage throws(StoreRefusal) in
      let chain = try subscribe(&stage)
      stage.waitDays(6)
      try stage.store.requestRefund(of: chain, at: stage.now)
      stage.wait(.minutes(2))
      try stage.store.setAutoRenewal(false, of: chain, at: stage.now)
      stage.wait(.hours(30))
      try stage.refund(chain)
    },
    Scenario(
      name: "19-old-renewal-refunded",
      summary: "An older renewal is refunded: the money goes back, access stays."
    ) { stage throws(StoreRefusal) in
      let renewals = try subscribeAndRenew(&stage, times: 4)
      try stage.refund(renewals[1])
    },
    Scenario(
      name: "20-two-refunds",
      summary: "Two renewals of one subscription are refunded within a minute: access ends."
    ) { stage throws(StoreRefusal) in
      let renewals = try subscribeAndRenew(&stage, times: 4)
      try stage.refund(renewals[2])
      stage.wait(.seconds(40))
      try stage.refund(renewals[3])
    },
    Scenario(
      name: "21-prorated-then-resubscribed",
      summary: "What is left of a period is refunded; later the customer comes back."
    ) { stage throws(StoreRefusal) in
      let ada = stage.store.enroll("Ada")
      let chain = try stage.buy(.pro, ada)
      stage.waitDays(17)
      try stage.refund(chain, prorated: 41_250)
      stage.waitDays(11)
      _ = try stage.buy(.pro, ada)
    },
  ]

  /// A subscription whose newest renewal has begun; returns the renewals.
  private static func subscribeAndRenew(
    _ stage: inout Stage, times: Int
  ) throws(StoreRefusal) -> [String] {
    let chain = try subscribe(&stage)
    var renewals: [String] = []
    for _ in 0..<times { renewals.append(try stage.renew(chain)) }
    stage.waitDays(3)
    return renewals
  }
}
