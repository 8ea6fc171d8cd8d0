import AppStoreModel
import JSON5

extension StepVerb {
  static let extensions = [
    StepVerb("extend", ["days"]) { (step, reader) throws(JSON5Error) in
      let purchase = try reader.purchase(step, "extend")
      let days = try step.required("days", step.integer("days", in: 1...90))
      return { (stage: inout Stage) throws(StoreRefusal) in
        try stage.store.extendRenewal(
          of: try stage.chain(purchase), byDays: days, at: stage.now)
      }
    },
    StepVerb("extendAll", ["days", "storefronts", "request"]) {
      (step, reader) throws(JSON5Error) in
      let product = try reader.product(step, "extendAll")
      let days = try step.required("days", step.integer("days", in: 1...90))
      let storefronts = try step.strings("storefronts") ?? []
      let request = try step.string("request") ?? "7d0b3a1e-4f7c-4c55-9d39-0a6b1f0e5c11"
      return { (stage: inout Stage) throws(StoreRefusal) in
        try stage.store.extendRenewals(
          ofProduct: product.id, byDays: days, in: storefronts, requestIdentifier: request,
          at: stage.now)
      }
    },
  ]
}
