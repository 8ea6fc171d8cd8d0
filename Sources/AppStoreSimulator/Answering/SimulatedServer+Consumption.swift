import AppStoreModel

extension SimulatedServer {
  mutating func takeConsumption(_ call: APICall) throws(APIError) -> APIAnswer {
    let payload = try found(call).transaction.payload
    let body = try call.object()
    try Self.refuseShared(payload)
    if payload.advancedCommerceInfo != nil {
      throw .badRequest("Advanced Commerce transactions are not supported.")
    }
    let answer = try ConsumptionAnswer(body, type: payload.type)
    change(call) { (store, _) throws(StoreRefusal) in
      try store.answerRefundRequest(of: call.id, answer)
    }
    return APIAnswer(status: 202)
  }

  mutating func takeConsumptionV1(_ call: APICall) throws(APIError) -> APIAnswer {
    let payload = try found(call).transaction.payload
    let body = try call.object()
    try Self.refuseShared(payload)
    guard payload.type == .consumable || payload.type == .autoRenewableSubscription else {
      throw .typeNotSupported
    }
    let answer = try ConsumptionAnswer(v1: body)
    change(call) { (store, _) throws(StoreRefusal) in
      try store.answerRefundRequest(of: call.id, answer)
    }
    return APIAnswer(status: 202)
  }
}

extension ConsumptionAnswer {
  private static let deliveries = [
    "DELIVERED", "UNDELIVERED_QUALITY_ISSUE", "UNDELIVERED_WRONG_ITEM",
    "UNDELIVERED_SERVER_OUTAGE", "UNDELIVERED_OTHER",
  ]

  /// Reads an answer of the second form, by Apple's rules.
  fileprivate init(_ body: JSONValue, type: ProductType?) throws(APIError) {
    guard body.member("customerConsented") == .bool(true) else {
      throw APIError(4_000_035, "Invalid customerConsented value.")
    }
    guard let delivery = body.member("deliveryStatus")?.string, Self.deliveries.contains(delivery)
    else { throw APIError(4_000_036, "Invalid deliveryStatus value.") }
    guard case .bool? = body.member("sampleContentProvided") else {
      throw APIError(4_000_041, "Invalid sampleContentProvided value.")
    }
    let preference = try Self.preference(body.member("refundPreference"))
    let isDelivered = delivery == "DELIVERED"
    let consumed = try Self.share(body.member("consumptionPercentage"))
    if let consumed {
      try Self.check(consumed, type, isDelivered: isDelivered, preference)
    }
    self.init(preference: preference, consumed: consumed, isDelivered: isDelivered)
  }

  private static func preference(_ value: JSONValue?) throws(APIError) -> Preference? {
    guard let value else { return nil }
    guard let preference = value.string.flatMap(Preference.init) else {
      throw .badRequest("Invalid refundPreference value.")
    }
    return preference
  }

  private static func share(_ value: JSONValue?) throws(APIError) -> RevokedShare? {
    guard let value else { return nil }
    guard let number = value.integer.flatMap(Int32.init(exactly:)),
      let share = RevokedShare(percentMilliunits: number)
    else { throw .badRequest("The consumptionPercentage is out of range.") }
    return share
  }

  private static func check(
    _ consumed: RevokedShare, _ type: ProductType?, isDelivered: Bool, _ preference: Preference?
  ) throws(APIError) {
    if type == .autoRenewableSubscription { throw .percentageOfSubscription }
    let milliunits = consumed.percentMilliunits
    if !isDelivered, milliunits != 0 {
      throw .badRequest("The consumptionPercentage of what was not delivered is not zero.")
    }
    if preference == .grantProrated, milliunits == 0 || consumed == .whole {
      throw .badRequest("The consumptionPercentage is out of range.")
    }
  }

  /// Reads an answer of the first form, by Apple's rules.
  fileprivate init(v1 body: JSONValue) throws(APIError) {
    guard body.member("customerConsented") == .bool(true) else {
      throw APIError(4_000_035, "Invalid customerConsented value.")
    }
    guard let token = body.member("appAccountToken")?.string,
      token.isEmpty || SimulatedServer.isUUID(token)
    else { throw APIError(4_000_033, "Invalid appAccountToken value.") }
    for field in Self.numbers {
      let value = body.member(field.name)?.integer ?? 0
      guard (0...field.greatest).contains(value) else {
        throw APIError(field.code, "Invalid \(field.name) value.")
      }
    }
    let preferences: [Int64: Preference] = [1: .grantFull, 2: .decline]
    self.init(
      preference: body.member("refundPreference")?.integer.flatMap { preferences[$0] },
      isDelivered: (body.member("deliveryStatus")?.integer ?? 0) == 0)
  }

  private static let numbers: [(name: String, greatest: Int64, code: Int64)] = [
    ("accountTenure", 7, 4_000_032), ("consumptionStatus", 3, 4_000_034),
    ("deliveryStatus", 5, 4_000_036), ("lifetimeDollarsPurchased", 7, 4_000_037),
    ("lifetimeDollarsRefunded", 7, 4_000_038), ("platform", 2, 4_000_039),
    ("playTime", 7, 4_000_040), ("userStatus", 4, 4_000_042), ("refundPreference", 3, 4_000_000),
  ]
}
