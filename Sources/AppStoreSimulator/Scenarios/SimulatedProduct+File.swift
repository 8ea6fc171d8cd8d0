import AppStoreModel
import JSON5

extension SimulatedProduct {
  /// Reads a product of a scenario file.
  init(_ file: JSON5Object) throws(JSON5Error) {
    try file.allow(only: [
      "id", "type", "price", "currency", "period", "group", "level", "familyShareable",
      "commitment", "items", "offers",
    ])
    let type = try file.required("type", file.choice("type", Self.types))
    let currency = Currency(code: try file.string("currency") ?? "USD")
    self.init(
      id: try file.required("id", file.string("id")), type: type,
      price: Money(milliunits: try file.price("price") ?? 9_990, currency: currency))
    period = try file.period("period")
    group = try file.string("group")
    level = Int(try file.integer("level", in: 1...100) ?? 1)
    isFamilyShareable = try file.bool("familyShareable") ?? false
    commitment = try file.integer("commitment", in: 2...60).map(Int32.init)
    for item in try file.objects("items") ?? [] {
      try item.allow(only: ["sku", "price"])
      items.append(
        Item(
          sku: try item.required("sku", item.string("sku")),
          price: try item.required("price", item.price("price"))))
    }
    offers = try (file.objects("offers") ?? []).map { (offer) throws(JSON5Error) in
      try SimulatedOffer(offer)
    }
    try complete(file)
  }

  private mutating func complete(_ file: JSON5Object) throws(JSON5Error) {
    guard type == .autoRenewableSubscription else {
      for name in ["period", "group", "level", "commitment"] where file.names.contains(name) {
        throw file.refusal(name, "belongs to a subscription, and this is none")
      }
      return
    }
    period = period ?? .days(30)
    group = group ?? "21345678"
  }

  private static let types: [String: ProductType] = [
    "consumable": .consumable, "nonConsumable": .nonConsumable,
    "nonRenewing": .nonRenewingSubscription, "subscription": .autoRenewableSubscription,
  ]
}

extension SimulatedOffer {
  fileprivate init(_ file: JSON5Object) throws(JSON5Error) {
    try file.allow(only: ["id", "type", "discount", "period", "price"])
    self.init(
      type: try file.required("type", file.choice("type", Self.types)),
      identifier: try file.string("id"), discount: try file.choice("discount", Self.discounts),
      period: try file.period("period"), writtenPeriod: try file.string("period"),
      milliunits: try file.price("price") ?? 0)
    if type != .introductory { _ = try file.required("id", identifier) }
  }

  private static let types: [String: OfferType] = [
    "introductory": .introductory, "promotional": .promotional, "offerCode": .offerCode,
    "winBack": .winBack,
  ]

  private static let discounts: [String: OfferDiscountType] = [
    "freeTrial": .freeTrial, "payAsYouGo": .payAsYouGo, "payUpFront": .payUpFront,
    "oneTime": .oneTime,
  ]
}

extension JSON5Object {
  /// Shape: an ISO 8601 duration of one unit.
  func period(_ name: String) throws(JSON5Error) -> TimeSpan? {
    guard let text = try string(name) else { return nil }
    guard let period = TimeSpan(period: text) else {
      throw refusal(name, "expected a period such as P1W, P1M or P1Y, found \(text)")
    }
    return period
  }
}
