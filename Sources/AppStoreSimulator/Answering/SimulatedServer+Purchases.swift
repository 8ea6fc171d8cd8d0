import AppStoreModel

extension SimulatedServer {
  /// The store as the API tells it: older than what notifications tell while there is a lag.
  func visible(_ call: APICall) -> SimulatedAppStore? {
    guard let shelf = shelves[call.environment] else { return nil }
    return switches.lag > .zero
      ? shelf.store(asOf: call.moment.subtracting(switches.lag)) : shelf.store
  }

  private func visibleStore(_ call: APICall) throws(APIError) -> SimulatedAppStore {
    guard let store = visible(call) else { throw .transactionIdNotFound }
    return store
  }

  /// The transaction of the path, and the store that has it.
  func found(
    _ call: APICall, or missing: APIError = .transactionIdNotFound
  ) throws(APIError) -> (store: SimulatedAppStore, transaction: SimulatedTransaction) {
    guard Self.isNumber(call.id) else { throw .invalidTransactionId }
    let store = try visibleStore(call)
    if let transaction = store.transactions[call.id] { return (store, transaction) }
    throw store.customer(of: call.id) == nil ? missing : .appTransactionIdNotSupported
  }

  /// The customer whom the id of the path belongs to.
  func owner(
    _ call: APICall, or missing: APIError = .transactionIdNotFound
  ) throws(APIError) -> (store: SimulatedAppStore, customer: Customer) {
    guard Self.isNumber(call.id) else { throw .invalidTransactionId }
    let store = try visibleStore(call)
    guard let customer = store.customer(of: call.id) else { throw missing }
    return (store, customer)
  }

  static func isNumber(_ id: String) -> Bool {
    (1...20).contains(id.utf8.count)
      && id.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }

  func signed(_ transaction: SimulatedTransaction, at moment: Timestamp) -> String {
    var payload = transaction.payload
    payload.signedDate = moment
    return signer.sign(payload)
  }

  // MARK: Endpoints

  func transactionInfo(_ call: APICall) throws(APIError) -> APIAnswer {
    let transaction = try found(call).transaction
    return .json { $0.member("signedTransactionInfo", signed(transaction, at: call.moment)) }
  }

  func appTransactionInfo(_ call: APICall) throws(APIError) -> APIAnswer {
    let (store, customer) = try owner(call)
    let payload = store.appTransaction(of: customer, signedAt: call.moment)
    return .json { $0.member("signedAppTransactionInfo", jws.sign(payload.json())) }
  }

  mutating func finish(_ call: APICall) throws(APIError) -> APIAnswer {
    _ = try found(call)
    change(call) { (store, _) throws(StoreRefusal) in try store.finish(call.id) }
    return APIAnswer(status: 200)
  }

  mutating func setAppAccountToken(_ call: APICall) throws(APIError) -> APIAnswer {
    guard Self.isNumber(call.id) else { throw .invalidOriginalTransactionId }
    let payload = try found(call, or: .originalTransactionIdNotFound).transaction.payload
    guard payload.originalTransactionId == call.id else { throw .notOriginal }
    try Self.refuseShared(payload)
    guard let token = try call.object().member("appAccountToken")?.string, Self.isUUID(token) else {
      throw .invalidAppAccountToken
    }
    change(call) { (store, now) throws(StoreRefusal) in
      try store.setAppAccountToken(token.lowercased(), of: call.id, at: now)
    }
    return APIAnswer(status: 200)
  }

  /// Changes the store of a call, after the call itself was found to be right.
  mutating func change(
    _ call: APICall,
    _ body: (inout SimulatedAppStore, Timestamp) throws(StoreRefusal) -> Void
  ) {
    // What the store may refuse was checked with Apple's own codes before.
    try? change(call.environment, at: call.hostTime, body)
  }

  static func refuseShared(_ payload: JWSTransactionDecodedPayload) throws(APIError) {
    if payload.inAppOwnershipType == .familyShared { throw .familyNotSupported }
    if payload.inAppOwnershipType == .assigned { throw .assignedNotSupported }
  }

  static func isUUID(_ text: String) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    return parts.map(\.utf8.count) == [8, 4, 4, 4, 12]
      && parts.allSatisfy { $0.allSatisfy { $0.isASCII && $0.isHexDigit } }
  }
}
