import AppStoreModel
import AppStoreSimulator
import EntitlementLedger
import LedgerStorage
import Testing

/// Purchases of credits that are bought, spent, taken back and handed on, with a naive account of
/// them beside the ledger's.
struct CreditLife {
  /// What one owner has, by four ways of asking.
  struct Standing: Hashable {
    /// By the question for balances.
    var answered: Int64
    /// By the newest event.
    var told: Int64
    /// By the lines of the books.
    var booked: Int64
    /// By adding up purchases and debts.
    var naive: Int64

    var isConsistent: Bool { Set([answered, told, booked, naive]).count == 1 }
  }

  static let tokens = [
    "3f2504e0-4f89-41d3-9a0c-0305e82c3301", "3f2504e0-4f89-41d3-9a0c-0305e82c3302",
  ]
  static let owners = ["alice", "bob", "carl", "dora"] + tokens

  let store: TestStore
  /// What was done, in words, for a failure's report.
  private(set) var story: [String] = []
  private var copies: [String: JWSTransactionDecodedPayload] = [:]
  private var spent: [String: Int64] = [:]
  private var refunded: Set<String> = []
  private var holds: [String] = []
  private var minute: Int64 = 10

  init(_ kind: StoreKind, _ treatment: PolicyEntry.SpentCredits = .debt) throws {
    let entry = CatalogEntry(
      productId: "coins", entitlements: [], creditsPerUnit: 50, creditUnit: "coins")
    store = try kind.open(
      rules: LedgerRules(
        catalogs: ["com.example.app": Catalog([entry])],
        policies: ["com.example.app": Policy([PolicyEntry(spentCredits: treatment)])], source: [])
    )
  }

  mutating func buy(_ id: String, token: String?) throws {
    let copy = Signed.transaction(
      id, token: token, signed: minute, bought: minute, type: .consumable
    ) { $0.productId = "coins" }
    copies[id] = copy
    try store.record(Signed.delivery(copy))
  }

  mutating func refund(_ id: String) throws {
    try tell(.refund, of: id) { $0.revocationDate = $0.signedDate }
    refunded.insert(id)
  }

  mutating func reverse(_ id: String) throws {
    try tell(.refundReversed, of: id) { _ in }
    refunded.remove(id)
  }

  /// Tells of a purchase anew, as one of a token.
  mutating func show(_ id: String, token: String?) throws {
    copies[id]?.appAccountToken = token
    try tell(.refundDeclined, of: id) { [refunded] in
      if refunded.contains(id) { $0.revocationDate = $0.signedDate }
    }
  }

  mutating func spend(_ credits: Int64, by owner: String) throws {
    let report = SpendReport(
      customer: Signed.customer(owner), purpose: Self.purpose(credits),
      spentAt: Signed.at(minute))
    let now = Signed.at(minute)
    let outcome = try store.ledger.wait {
      store.ledger.report([report], now: now, completion: $0)
    }
    guard case .recorded(let records) = outcome else {
      Issue.record("not recorded")
      return
    }
    note(records)
  }

  func standing(of owner: String) throws -> Standing {
    let customer = Signed.customer(owner)
    let balances = try store.balances(of: customer)
    return Standing(
      answered: balances.first?.book.balance ?? 0, told: try told(to: owner),
      booked: try booked(for: owner), naive: try naive(of: owner, balances.flatMap(\.debts)))
  }

  private static func purpose(_ credits: Int64) -> SpendPurpose {
    SpendPurpose(
      entitlement: nil, credits: Credits(unit: "coins", amount: credits), cost: .milliunits(1))
  }

  private mutating func tell(
    _ type: NotificationType, of id: String,
    _ edit: (inout JWSTransactionDecodedPayload) -> Void
  ) throws {
    minute += 20
    guard var copy = copies[id] else { return }
    copy.signedDate = Signed.at(minute)
    edit(&copy)
    try store.record(Signed.notification(type, "u\(minute)", copy, signed: minute))
  }

  private mutating func note(_ records: [SpendRecord]) {
    for charge in records.flatMap(\.charges) {
      guard let id = charge.transactionId else { continue }
      spent[id, default: 0] += charge.credits
    }
  }

  private func told(to owner: String) throws -> Int64 {
    var newest: Int64 = 0
    for event in try store.reader.events(after: 0, limit: 10_000)
    where event.type == "balanceChanged" && event.customer?.text == owner {
      let json = try JSONValue(json: Array(event.payload.utf8))
      newest = try #require(json["balance"]?["balance"]?.integer)
    }
    return newest
  }

  private func booked(for owner: String) throws -> Int64 {
    let statement = SQLStatement(
      """
      SELECT coalesce(sum(balance_change), 0) FROM credit_entries
      JOIN customers ON customers.id = credit_entries.customer_id WHERE customers.name = ?
      """)
    return try store.reader.read { (recorder) throws(StoreError) in
      try recorder.session.number(statement, [.text(owner)]) ?? 0
    }
  }

  private func naive(of owner: String, _ debts: [CreditBalance.Debt]) throws -> Int64 {
    var sum: Int64 = 0
    for id in copies.keys {
      guard try store.reader.owner(of: Signed.key(id))?.text == owner else { continue }
      guard refunded.contains(id) else {
        sum += 50 - spent[id, default: 0]
        continue
      }
      let missing = debts.filter { $0.transactionId == id }.map(\.debt.credits)
      #expect(missing.reduce(0, +) == spent[id, default: 0])
    }
    return debts.map(\.debt).filter { $0.treatment == .debt }.reduce(sum) { $0 - $1.credits }
  }
}

extension CreditLife {
  /// Does one thing at random; what makes no sense is done all the same, and must be refused.
  mutating func step(_ dice: inout SeededGenerator) throws {
    minute += 1
    let id = String(Int.random(in: 0..<6, using: &dice))
    let owner = Self.owners.randomElement(using: &dice) ?? "alice"
    let token = (Self.tokens + [nil, nil]).randomElement(using: &dice) ?? nil
    guard copies[id] != nil else {
      story.append("buy \(id) for \(token ?? "nobody")")
      return try buy(id, token: token)
    }
    let choice = Int.random(in: 0..<11, using: &dice)
    story.append("\(choice) \(id) \(owner)")
    switch choice {
    case 0: _ = try store.link(id, owner)
    case 1: _ = try store.unlink(id, owner)
    case 2: try store.register(token ?? Self.tokens[0], to: owner)
    case 3: _ = try store.transfer(id, owner)
    case 4: try spend(Int64.random(in: 1...70, using: &dice), by: owner)
    case 5: try hold(Int64.random(in: 1...70, using: &dice), owner)
    case 6: try settle(&dice)
    case 7: try release(&dice)
    case 8: try refund(id)
    case 9: try reverse(id)
    default: try show(id, token: token ?? copies[id]?.appAccountToken)
    }
  }

  private mutating func hold(_ credits: Int64, _ owner: String) throws {
    let name = "hold\(minute)"
    let request = SpendRequest(
      customer: Signed.customer(owner), purpose: Self.purpose(credits), holdLength: .days(30))
    if try store.authorize(request, name, minute).decided?.isAllowed == true { holds.append(name) }
  }

  private mutating func settle(_ dice: inout SeededGenerator) throws {
    guard let name = holds.randomElement(using: &dice) else { return }
    holds.removeAll { $0 == name }
    guard case .done(_, let record?) = try store.settle(name, .milliunits(1), minute) else {
      Issue.record("not settled")
      return
    }
    note([record])
  }

  private mutating func release(_ dice: inout SeededGenerator) throws {
    guard let name = holds.randomElement(using: &dice) else { return }
    holds.removeAll { $0 == name }
    _ = try store.release(name)
  }
}
