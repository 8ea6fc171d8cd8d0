import AppStoreModel
import AppStoreSimulator
import EntitlementLedger
@testable import LedgerStorage

/// Two customers with purchases of every type, told in any order by a clock that may go back.
struct ManyPurchases {
  static let customers = ["anna", "ben"]

  let store: TestStore
  private var minute: Int64 = 0
  private var grants = 0

  init(store: TestStore) {
    self.store = store
  }

  /// Lets one thing happen.
  ///
  /// - Returns: Whose answers were computed at the moment that the clock shows now.
  mutating func step(_ dice: inout SeededGenerator) throws -> [String] {
    let isBack = Int.random(in: 0..<8, using: &dice) == 0
    minute = max(0, minute + (isBack ? -1 : 1) * Int64.random(in: 0..<9_000, using: &dice))
    switch Int.random(in: 0..<12, using: &dice) {
    case 0: return try grant(&dice)
    case 1: return try transfer(&dice)
    case 2:
      _ = try store.process(at: minute)
      return isBack ? [] : Self.customers
    default:
      let receipt = try store.record(Self.purchase(&dice, received: minute))
      return receipt.compactMap { $0.customer?.id.text }
    }
  }

  private static func purchase(
    _ dice: inout SeededGenerator, received: Int64
  ) throws -> Delivery {
    let chain = Int.random(in: 0..<9, using: &dice)
    let types: [ProductType] = [
      .autoRenewableSubscription, .nonConsumable, .consumable, .autoRenewableSubscription,
      .nonRenewingSubscription,
    ]
    let type = types[chain % types.count]
    let period = Int64.random(in: 0..<3, using: &dice)
    let bought = period * 43_200 + Int64(chain)
    let signed = bought + Int64.random(in: 0..<60_000, using: &dice)
    let isRevoked = Int.random(in: 0..<3, using: &dice) == 0
    let transaction = Signed.transaction(
      "\(chain)-\(period)", original: "\(chain)", token: customers[chain % 2], signed: signed,
      bought: bought, type: type, revoked: isRevoked ? (bought + signed) / 2 : nil
    ) { payload in
      payload.productId = ["pro", "plus"][chain % 3 == 0 ? 1 : 0]
      if chain == 7 { payload.previousOriginalTransactionId = "2" }
    }
    if type != .autoRenewableSubscription || Bool.random(using: &dice) {
      let channels: [Channel] = [.device, .poll]
      return try Signed.delivery(
        transaction, channels.randomElement(using: &dice) ?? .poll, received: received)
    }
    let kinds: [NotificationType] = [.didRenew, .refund, .revoke, .refundReversed, .expired]
    let statuses: [SubscriptionStatus?] = [nil, .active, .expired, .revoked]
    return try Signed.notification(
      kinds.randomElement(using: &dice) ?? .didRenew,
      "u\(UInt16.random(in: 0...999, using: &dice))", transaction,
      renewal: Signed.renewal("\(chain)", signed: signed),
      status: statuses.randomElement(using: &dice) ?? nil, signed: signed + 1, received: received)
  }

  private mutating func grant(_ dice: inout SeededGenerator) throws -> [String] {
    let name = Self.customers.randomElement(using: &dice) ?? "anna"
    let customer = Signed.customer(name)
    let now = Signed.at(minute)
    grants += 1
    let grant = ManualGrant(
      id: "g\(grants)", customer: customer.id, entitlement: "pro", from: now,
      until: Signed.at(minute + 700))
    _ = try store.ledger.wait {
      store.ledger.grant(grant, in: Signed.scope, GrantStatement(at: now), completion: $0)
    }
    return [name]
  }

  private func transfer(_ dice: inout SeededGenerator) throws -> [String] {
    let original = "\(Int.random(in: 0..<9, using: &dice))"
    let name = Self.customers.randomElement(using: &dice) ?? "anna"
    let now = Signed.at(minute)
    let outcome = try store.ledger.wait {
      store.ledger.transfer(
        original, to: Signed.customer(name), note: "asked for", now: now, completion: $0)
    }
    return outcome == .done(changed: true) ? [name] : []
  }

  /// What the store tells at the moment that the clock shows.
  func told(_ customer: String, on entitlement: String? = nil) throws -> CustomerState {
    let key = Signed.customer(customer)
    guard let entitlement else { return try store.reader.answer(of: key, now: Signed.at(minute)) }
    return try store.reader.answer(of: key, on: entitlement, now: Signed.at(minute))
  }

  /// What reading every chain and every grant gives.
  func union(_ customer: String) throws -> CustomerAnswer {
    let now = Signed.at(minute)
    return try store.reader.read { (recorder) throws(StoreError) in
      try recorder.union(of: Signed.customer(customer), at: now)
    }
  }
}

extension Recorder {
  fileprivate func union(
    of key: CustomerKey, at now: Timestamp
  ) throws(StoreError) -> CustomerAnswer {
    guard let customer = try customers.find(key) else {
      return CustomerAnswer(chains: [], at: now)
    }
    let stored = try chains.all(ofCustomer: customer.id, in: key.scope)
    return CustomerAnswer(
      chains: stored.map { rules.answer($0.chain, at: now) },
      grants: try grants.all(of: customer).map(\.grant), at: now)
  }
}
