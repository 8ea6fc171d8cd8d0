import AppStoreModel
import JSON5

extension StepVerb {
  static let sharing = [
    giving("share") { (stage, purchase, member) throws(StoreRefusal) in
      try stage.store.share(purchase, with: member, at: stage.now)
    },
    giving("assign") { (stage, purchase, member) throws(StoreRefusal) in
      try stage.store.assign(purchase, to: member, at: stage.now)
    },
    StepVerb("stopSharing") { (step, reader) throws(JSON5Error) in
      let share = try reader.purchase(step, "stopSharing")
      return { (stage: inout Stage) throws(StoreRefusal) in
        try stage.store.stopSharing(try stage.transaction(share), at: stage.now)
      }
    },
    StepVerb("unassign") { (step, reader) throws(JSON5Error) in
      let seat = try reader.purchase(step, "unassign")
      return { (stage: inout Stage) throws(StoreRefusal) in
        try stage.store.unassign(try stage.transaction(seat), at: stage.now)
      }
    },
  ]

  /// Gives a part of a purchase to somebody, and names it after them.
  private static func giving(
    _ verb: String,
    _ give: @escaping @Sendable (inout Stage, String, Customer) throws(StoreRefusal) -> String
  ) -> StepVerb {
    StepVerb(verb, ["to", "as"]) { (step, reader) throws(JSON5Error) in
      let purchase = try reader.purchase(step, verb)
      let name = try reader.customer(step, "to")
      let label = try step.string("as")
      return { (stage: inout Stage) throws(StoreRefusal) in
        let member = stage.customer(name)
        let bought = try stage.transaction(purchase)
        let product = try stage.store.product(
          try stage.store.transaction(bought).payload.productId ?? "")
        let id = try give(&stage, bought, member)
        stage.name(id, label ?? "\(name).\(product.shortName)")
      }
    }
  }
}
