import AppStoreModel
import JSON5

extension StepVerb {
  static let purchases = [
    StepVerb("buy", ["by", "quantity", "offer", "newChain", "as"]) {
      (step, reader) throws(JSON5Error) in
      let product = try reader.product(step, "buy")
      let buyer = try reader.customer(step, "by")
      let quantity = Int32(try step.integer("quantity", in: 1...1_000) ?? 1)
      let offer = try reader.offer(step, "offer", of: product)
      let isNew = try step.bool("newChain") ?? false
      let name = try step.string("as")
      return { (stage: inout Stage) throws(StoreRefusal) in
        let customer = stage.customer(buyer)
        let id = try stage.store.buy(
          product.id, by: customer, quantity: quantity, offer: offer, startsNewChain: isNew,
          at: stage.now)
        stage.name(id, name, name == nil ? "\(buyer).\(product.shortName)" : nil)
      }
    },
    StepVerb("payments", ["of"]) { (step, reader) throws(JSON5Error) in
      let succeed = try step.choice("payments", ["succeed": true, "fail": false]) ?? true
      let name = try reader.customer(step, "of")
      return { (stage: inout Stage) throws(StoreRefusal) in
        let customer = stage.customer(name)
        stage.store.setPayments(of: customer, succeed: succeed)
      }
    },
    StepVerb("moveToBundle", ["bundle", "as"]) { (step, reader) throws(JSON5Error) in
      let purchase = try reader.purchase(step, "moveToBundle")
      let bundle = try reader.product(step, "bundle")
      let name = try step.string("as") ?? purchase.owner + "." + bundle.shortName
      return { (stage: inout Stage) throws(StoreRefusal) in
        let id = try stage.store.moveToBundle(
          try stage.transaction(purchase), bundle.id, at: stage.now)
        stage.name(id, name)
      }
    },
  ]
}

extension PurchaseReference {
  /// The customer in a purchase's usual name.
  var owner: String { name.split(separator: ".").first.map(String.init) ?? name }
}
