import AppStoreModel
import JSON5

extension StepVerb {
  static let renewals = [
    StepVerb("renew", ["times"]) { (step, reader) throws(JSON5Error) in
      let purchase = try reader.purchase(step, "renew")
      let times = try step.integer("times", in: 1...1_000) ?? 1
      let isTimed = StepReader.isTimed(step)
      return { (stage: inout Stage) throws(StoreRefusal) in
        for count in 0..<times {
          let chain = try stage.chain(purchase)
          if isTimed && count == 0 {
            try stage.store.renew(chain, at: stage.now)
          } else {
            _ = try stage.renew(chain)
          }
        }
      }
    },
    StepVerb("failToRenew", ["grace"]) { (step, reader) throws(JSON5Error) in
      let purchase = try reader.purchase(step, "failToRenew")
      let grace = try step.span("grace")
      let isTimed = StepReader.isTimed(step)
      return { (stage: inout Stage) throws(StoreRefusal) in
        let chain = try stage.chain(purchase)
        if !isTimed { try stage.waitForEnd(chain) }
        try stage.store.failToRenew(
          chain, grace: grace ?? stage.store.policy.grace, at: stage.now)
      }
    },
    chain("recover") { (stage, chain) throws(StoreRefusal) in
      try stage.store.recover(chain, at: stage.now)
    },
    chain("endGrace") { (stage, chain) throws(StoreRefusal) in
      try stage.store.endGrace(of: chain, at: stage.now)
    },
    chain("turnRenewalOff") { (stage, chain) throws(StoreRefusal) in
      try stage.store.setAutoRenewal(false, of: chain, at: stage.now)
    },
    chain("turnRenewalOn") { (stage, chain) throws(StoreRefusal) in
      try stage.store.setAutoRenewal(true, of: chain, at: stage.now)
    },
    StepVerb("expire", ["because"]) { (step, reader) throws(JSON5Error) in
      let purchase = try reader.purchase(step, "expire")
      let intent = try step.choice("because", intents) ?? .customerCancelled
      let isTimed = StepReader.isTimed(step)
      return { (stage: inout Stage) throws(StoreRefusal) in
        let chain = try stage.chain(purchase)
        if !isTimed { try stage.waitForEnd(chain) }
        try stage.store.expire(chain, intent, at: stage.now)
      }
    },
  ]

  private static let intents: [String: ExpirationIntent] = [
    "cancelled": .customerCancelled, "billing": .billingError,
    "price": .noConsentToPriceIncrease, "notForSale": .productUnavailable, "other": .other,
  ]
}
