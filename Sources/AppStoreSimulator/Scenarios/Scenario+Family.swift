import AppStoreModel

extension Scenario {
  /// Purchases that a family shares.
  static let family = [
    Scenario(
      name: "22-family-payer-refunded",
      summary: "The payer is refunded: three people lose access, the money goes back once."
    ) { stage throws(StoreRefusal) in
      let family = try shareSubscription(&stage)
      try stage.refund(family.purchase, because: .developerIssue)
    },
    Scenario(
      name: "23-family-member-leaves",
      summary: "A family member leaves and loses access; the payer notices nothing."
    ) { stage throws(StoreRefusal) in
      let family = try shareSubscription(&stage)
      try stage.store.stopSharing(family.shares[0], at: stage.now)
    },
  ]

  private static func shareSubscription(
    _ stage: inout Stage
  ) throws(StoreRefusal) -> (purchase: String, shares: [String]) {
    let purchase = try subscribe(&stage)
    var shares: [String] = []
    for name in ["Ben", "Cleo"] {
      let member = stage.store.enroll(name, withToken: false)
      stage.wait(.minutes(5))
      shares.append(try stage.store.share(purchase, with: member, at: stage.now))
    }
    stage.waitDays(4)
    return (purchase, shares)
  }
}
