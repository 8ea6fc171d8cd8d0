import AppStoreModel
import JSON5

extension StepVerb {
  static let plans = [
    StepVerb("changePlan", ["to"]) { (step, reader) throws(JSON5Error) in
      let purchase = try reader.purchase(step, "changePlan")
      let product = try reader.product(step, "to")
      return { (stage: inout Stage) throws(StoreRefusal) in
        let id = try stage.store.changePlan(
          try stage.chain(purchase), to: product.id, at: stage.now)
        if let id { stage.name(id, purchase.owner + "." + product.shortName) }
      }
    },
    StepVerb("redeem", ["offer", "to"]) { (step, reader) throws(JSON5Error) in
      let purchase = try reader.purchase(step, "redeem")
      let product = try step.string("to") == nil ? nil : try reader.product(step, "to")
      let offer = try step.required("offer", try reader.offer(step, "offer", of: product))
      return { (stage: inout Stage) throws(StoreRefusal) in
        try stage.store.redeem(
          offer, try stage.chain(purchase), to: product?.id, at: stage.now)
      }
    },
    StepVerb("raisePrice", ["to", "consent"]) { (step, reader) throws(JSON5Error) in
      let purchase = try reader.purchase(step, "raisePrice")
      let price = try step.required("to", step.price("to"))
      let needsConsent = try step.bool("consent") ?? true
      return { (stage: inout Stage) throws(StoreRefusal) in
        let money = try stage.money(price, for: purchase)
        try stage.store.raisePrice(
          of: try stage.chain(purchase), to: money, needsConsent: needsConsent, at: stage.now)
      }
    },
    chain("acceptPrice") { (stage, chain) throws(StoreRefusal) in
      try stage.store.acceptPrice(of: chain, at: stage.now)
    },
    chain("refusePrice") { (stage, chain) throws(StoreRefusal) in
      try stage.store.refusePrice(of: chain, at: stage.now)
    },
  ]
}

extension Stage {
  /// An amount in the currency in which a purchase was paid.
  func money(
    _ milliunits: Int64, for purchase: PurchaseReference
  ) throws(StoreRefusal) -> Money {
    let payload = try store.transaction(try transaction(purchase)).payload
    return Money(milliunits: milliunits, currency: Currency(code: payload.currency ?? "USD"))
  }
}
