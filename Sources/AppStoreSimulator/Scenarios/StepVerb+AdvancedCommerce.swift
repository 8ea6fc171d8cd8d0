import AppStoreModel
import JSON5

extension StepVerb {
  static let advancedCommerce = [
    StepVerb("migrate", ["to", "as"]) { (step, reader) throws(JSON5Error) in
      let purchase = try reader.purchase(step, "migrate")
      let product = try reader.product(step, "to")
      let name = try step.string("as") ?? purchase.owner + "." + product.shortName
      return { (stage: inout Stage) throws(StoreRefusal) in
        let id = try stage.store.migrate(
          try stage.chain(purchase), to: product.id, at: stage.now)
        stage.name(id, name)
      }
    },
    StepVerb("rename", ["to"]) { (step, reader) throws(JSON5Error) in
      let purchase = try reader.purchase(step, "rename")
      let name = try step.required("to", step.string("to"))
      return { (stage: inout Stage) throws(StoreRefusal) in
        try stage.store.updateMetadata(
          of: try stage.chain(purchase), displayName: name, at: stage.now)
      }
    },
    StepVerb("changePrice", ["to"]) { (step, reader) throws(JSON5Error) in
      let purchase = try reader.purchase(step, "changePrice")
      let price = try step.required("to", step.price("to"))
      return { (stage: inout Stage) throws(StoreRefusal) in
        let money = try stage.money(price, for: purchase)
        try stage.store.changePrice(
          of: try stage.chain(purchase), to: money, at: stage.now)
      }
    },
    StepVerb("refundItem", ["item", "amount", "revoke"]) { (step, reader) throws(JSON5Error) in
      let purchase = try reader.purchase(step, "refundItem")
      let number = Int(try step.integer("item", in: 1...100) ?? 1)
      let amount = try step.price("amount")
      let revokes = try step.bool("revoke") ?? false
      return { (stage: inout Stage) throws(StoreRefusal) in
        try stage.store.refundItem(
          number, of: try stage.transaction(purchase), amount: amount, revokes: revokes,
          at: stage.now)
      }
    },
  ]
}
