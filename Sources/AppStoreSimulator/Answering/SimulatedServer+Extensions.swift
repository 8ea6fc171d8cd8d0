import AppStoreModel

extension SimulatedServer {
  mutating func extendOne(_ call: APICall) throws(APIError) -> APIAnswer {
    guard Self.isNumber(call.id) else { throw .invalidOriginalTransactionId }
    let request = try ExtensionRequest(call.object())
    let found = try found(call, or: .originalTransactionIdNotFound).transaction.payload
    guard found.originalTransactionId == call.id else { throw .originalTransactionIdNotFound }
    guard let store = shelves[call.environment]?.store,
      let subscription = store.subscriptions[call.id]
    else { throw .extensionIneligible }
    if let refusal = store.extensionRefusal(subscription, at: call.moment) {
      throw APIError(refusal)
    }
    change(call) { (store, now) throws(StoreRefusal) in
      try store.extendRenewal(of: call.id, byDays: request.days, at: now)
    }
    let newest = shelves[call.environment]?.store.newestTransactionId(of: call.id)
    let payload = newest.flatMap { shelves[call.environment]?.store.transactions[$0]?.payload }
    return .json { writer in
      writer.member("originalTransactionId", call.id)
      writer.member("webOrderLineItemId", payload?.webOrderLineItemId)
      writer.member("success", true)
      writer.member("effectiveDate", payload?.expiresDate?.millisecondsSince1970)
    }
  }

  mutating func extendMass(_ call: APICall) throws(APIError) -> APIAnswer {
    let body = try call.object()
    let request = try ExtensionRequest(body)
    guard let product = body.member("productId")?.string,
      (try? shelves[call.environment]?.store.product(product)) != nil
    else { throw .invalidProductId }
    let storefronts = try Self.storefronts(body.member("storefrontCountryCodes"))
    shelves[call.environment]?.extensions.append(
      Shelf.PendingExtension(
        requestIdentifier: request.identifier, productId: product, days: request.days,
        storefronts: storefronts, dueAt: call.moment.adding(switches.massExtensionTime)))
    return .json { $0.member("requestIdentifier", request.identifier) }
  }

  private static func storefronts(_ value: JSONValue?) throws(APIError) -> [String] {
    guard let value else { return [] }
    guard let list = value.array else { throw .invalidStorefront }
    if list.isEmpty { throw .emptyStorefronts }
    var codes: [String] = []
    for entry in list {
      guard let code = entry.string, code.utf8.count == 3, code == code.uppercased() else {
        throw .invalidStorefront
      }
      codes.append(code)
    }
    return codes
  }

  func massStatus(_ call: APICall) throws(APIError) -> APIAnswer {
    let (product, identifier) = (call.arguments[0], call.arguments[1])
    guard let shelf = shelves[call.environment] else { throw .statusRequestNotFound }
    let done = shelf.store.massExtensions.last {
      $0.productId == product && $0.requestIdentifier == identifier
    }
    let isPending = shelf.extensions.contains {
      $0.productId == product && $0.requestIdentifier == identifier
    }
    guard done != nil || isPending else { throw .statusRequestNotFound }
    return .json { writer in
      writer.member("requestIdentifier", identifier)
      writer.member("complete", done != nil)
      writer.member("completeDate", done?.completedAt.millisecondsSince1970)
      writer.member("succeededCount", done?.succeeded)
      writer.member("failedCount", done?.failed)
    }
  }
}

/// What both ways of extending ask for.
private struct ExtensionRequest {
  let days: Int64
  let identifier: String

  init(_ body: JSONValue) throws(APIError) {
    guard let days = body.member("extendByDays")?.integer, (1...90).contains(days) else {
      throw .invalidExtendByDays
    }
    guard let reason = body.member("extendReasonCode")?.integer, (0...3).contains(reason) else {
      throw .invalidExtendReasonCode
    }
    guard let identifier = body.member("requestIdentifier")?.string,
      (1...128).contains(identifier.utf8.count)
    else { throw .invalidRequestIdentifier }
    self.days = days
    self.identifier = identifier
  }
}

extension APIError {
  fileprivate init(_ refusal: ExtensionRefusal) {
    self =
      switch refusal {
      case .ineligible: .extensionIneligible
      case .tooOften: .extensionTooOften
      case .familyShared: .familyExtension
      case .assigned: .assignedExtension
      }
  }
}
