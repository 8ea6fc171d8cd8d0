import AppStoreModel

/// What a call of the transaction history asks for.
struct HistoryFilter {
  let isDescending: Bool
  private let start: Timestamp?
  private let end: Timestamp?
  private let productIds: [String]
  private let types: [ProductType]
  private let groups: [String]
  private let ownership: InAppOwnershipType?
  private let isRevoked: Bool?

  /// Apple's words in a query are others than in a payload.
  private static let typeNames: [String: ProductType] = [
    "AUTO_RENEWABLE": .autoRenewableSubscription, "NON_RENEWABLE": .nonRenewingSubscription,
    "CONSUMABLE": .consumable, "NON_CONSUMABLE": .nonConsumable,
  ]

  init(_ call: APICall) throws(APIError) {
    start = try call.moment("startDate", or: .invalidStartDate)
    end = try call.moment("endDate", or: .invalidEndDate)
    if let start, let end, start >= end { throw .startDateAfterEndDate }
    isDescending =
      try Self.choice(
        call.request["sort"], ["ASCENDING": false, "DESCENDING": true], or: .invalidSort) ?? false
    isRevoked = try Self.choice(
      call.request["revoked"], ["true": true, "false": false], or: .invalidRevoked)
    ownership = try Self.choice(
      call.request["inAppOwnershipType"],
      ["PURCHASED": .purchased, "FAMILY_SHARED": .familyShared, "ASSIGNED": .assigned],
      or: .invalidOwnership)
    var types: [ProductType] = []
    for name in call.request.values("productType") {
      guard let type = Self.typeNames[name] else { throw .invalidProductType }
      types.append(type)
    }
    self.types = types
    productIds = call.request.values("productId")
    if productIds.contains("") { throw .invalidProductId }
    groups = call.request.values("subscriptionGroupIdentifier")
    if groups.contains("") { throw .invalidGroup }
  }

  private static func choice<Value>(
    _ word: String?, _ choices: [String: Value], or error: APIError
  ) throws(APIError) -> Value? {
    guard let word else { return nil }
    guard let value = choices[word] else { throw error }
    return value
  }

  /// The last change that the caller has seen.
  func lastRevision(_ call: APICall) throws(APIError) -> Int? {
    guard let text = call.request["revision"] else { return nil }
    guard let parts = PageToken.parts(of: text, "history", count: 1), let last = Int(parts[0])
    else { throw .invalidRevision }
    return last
  }

  func takes(_ payload: JWSTransactionDecodedPayload) -> Bool {
    let date = payload.purchaseDate ?? .distantPast
    if let start, date < start { return false }
    if let end, date >= end { return false }
    if let isRevoked, isRevoked != (payload.revocationDate != nil) { return false }
    if let ownership, payload.inAppOwnershipType != ownership { return false }
    return Self.isIn(payload.productId, productIds) && Self.isIn(payload.type, types)
      && Self.isIn(payload.subscriptionGroupIdentifier, groups)
  }

  /// An empty list takes everything.
  private static func isIn<Value: Equatable>(_ value: Value?, _ list: [Value]) -> Bool {
    list.isEmpty || value.map(list.contains) == true
  }
}
