import AppStoreModel
import JSON5

/// Reads what is for sale from the `.storekit` file that Xcode edits.
///
/// Shape: JSON with `version.major` 1 to 6; members of other versions are passed over.
enum StoreKitCatalog {
  static let versions: ClosedRange<Int64> = 1...6

  static func products(_ bytes: [UInt8]) throws(JSON5Error) -> [SimulatedProduct] {
    let file = try JSON5Object(JSON5Value(text: bytes))
    let version = try file.required("version", file.object("version"))
    _ = try version.required("major", version.integer("major", in: versions))
    let currency = Currency(code: try currency(file))
    var products: [SimulatedProduct] = []
    for list in ["products", "nonRenewingSubscriptions"] {
      for entry in try file.objects(list) ?? [] {
        products.append(try product(entry, currency))
      }
    }
    for group in try file.objects("subscriptionGroups") ?? [] {
      let id = try group.string("id")
      for entry in try group.objects("subscriptions") ?? [] {
        products.append(try subscription(entry, currency, group: id))
      }
    }
    return products
  }

  /// The currency of the storefront that the file was made for: its own prices name none.
  private static func currency(_ file: JSON5Object) throws(JSON5Error) -> String {
    let currencies = [
      "USA": "USD", "GBR": "GBP", "JPN": "JPY", "CAN": "CAD", "AUS": "AUD", "BRA": "BRL",
      "IND": "INR", "CHE": "CHF", "DEU": "EUR", "FRA": "EUR",
    ]
    let storefront = try file.object("settings")?.string("_storefront")
    return currencies[storefront ?? "USA"] ?? "USD"
  }

  private static let types: [String: ProductType] = [
    "Consumable": .consumable, "NonConsumable": .nonConsumable,
    "NonRenewingSubscription": .nonRenewingSubscription,
    "RecurringSubscription": .autoRenewableSubscription,
  ]

  private static func product(
    _ entry: JSON5Object, _ currency: Currency
  ) throws(JSON5Error) -> SimulatedProduct {
    SimulatedProduct(
      id: try entry.required("productID", entry.string("productID")),
      type: try entry.required("type", entry.choice("type", types)),
      price: Money(milliunits: try entry.price("displayPrice") ?? 0, currency: currency),
      isFamilyShareable: try entry.bool("familyShareable") ?? false)
  }

  private static func subscription(
    _ entry: JSON5Object, _ currency: Currency, group: String?
  ) throws(JSON5Error) -> SimulatedProduct {
    var product = try product(entry, currency)
    product.period = try entry.period("recurringSubscriptionPeriod")
    let own = try entry.string("subscriptionGroupID")
    product.group = own ?? group ?? "21345678"
    product.level = Int(try entry.integer("groupNumber", in: 1...1_000) ?? 1)
    let single = try entry.object("introductoryOffer").map { [$0] }
    let several = try entry.objects("introductoryOffers")
    product.offers =
      try offers(single ?? several, .introductory)
      + offers(entry.objects("adHocOffers"), .promotional)
      + offers(entry.objects("codeOffers"), .offerCode)
      + offers(entry.objects("winbackOffers"), .winBack)
    product.commitment = try monthsOfCommitment(entry)
    return product
  }

  private static func offers(
    _ entries: [JSON5Object]?, _ type: OfferType
  ) throws(JSON5Error) -> [SimulatedOffer] {
    try (entries ?? []).map { (entry) throws(JSON5Error) in
      let discount = try entry.choice(
        "paymentMode",
        [
          "free": OfferDiscountType.freeTrial, "payAsYouGo": .payAsYouGo,
          "payUpFront": .payUpFront,
        ])
      let id = try entry.string("offerID")
      let reference = try entry.string("referenceName")
      let price = try entry.price("displayPrice")
      return SimulatedOffer(
        type: type, identifier: type == .introductory ? nil : id ?? reference ?? "offer",
        discount: discount, period: try entry.period("subscriptionPeriod"),
        writtenPeriod: try entry.string("subscriptionPeriod"),
        milliunits: discount == .freeTrial ? 0 : price ?? 0)
    }
  }

  /// A yearly plan that is paid by the month binds for twelve of them.
  private static func monthsOfCommitment(_ entry: JSON5Object) throws(JSON5Error) -> Int32? {
    for plan in try entry.objects("billingPlans") ?? [] {
      let isMonthly = try plan.string("billingPlanType") == "MONTHLY"
      let isEnabled = try plan.bool("isEnabled")
      if isMonthly, isEnabled ?? true { return 12 }
    }
    return nil
  }
}
