import AppStoreModel
import AppStoreSimulator
import Foundation
import LedgerStorage
import Testing

/// The spend gate raced from outside.
struct SpendRaceTests {
  /// `CLAWBACK_SPEND_RACE=full` runs it at its whole size.
  private static var plan: SpendRace.Plan {
    var plan = SpendRace.Plan()
    if ProcessInfo.processInfo.environment["CLAWBACK_SPEND_RACE"] == "full" {
      plan.authorizations = 10_000
      plan.customers = 200
      plan.crashes = 5
    }
    return plan
  }

  private let site: ServedSite
  private let signer: NotificationSigner
  private var stage: Stage

  init() throws {
    let authority = CertificateAuthority(seed: 41)
    signer = NotificationSigner(JWSSigner(authority))
    let start = Timestamp(
      millisecondsSince1970: Int64(Date().timeIntervalSince1970 * 1_000) - 86_400_000)
    stage = Stage(SimulatedAppStore(seed: 41), at: start)
    site = try ServedSite(
      apps: [
        .init(
          bundleId: stage.store.app.bundleId, appAppleId: stage.store.app.appAppleId,
          products: """
            { productId: "\(SimulatedProduct.coins.id)", entitlements: [], creditsPerUnit: 50,
              creditUnit: "coins" },
            { productId: "\(SimulatedProduct.themes.id)",
              entitlements: ["\(SimulatedProduct.themes.id)"] }
            """)
      ], root: authority.root.der)
  }

  @Test(.timeLimit(.minutes(10)))
  mutating func `no allow follows a revocation, and every credit is where it belongs`() throws {
    let plan = Self.plan
    var served = try ServedProcess(site)
    let key = try site.key("race", scope: "admin", app: stage.store.app.bundleId)
    let purchases = try buy(plan.customers)
    let sent = stage.store.notifications
    for notification in sent { #expect(try served.post(signer.sign(notification)) == 200) }
    for purchase in purchases where purchase.isCredits {
      try register(purchase.customer, served, key)
    }
    let race = SpendRace(purchases, url: served.url, key: key, plan)
    var dice = SeededGenerator(seed: 5)
    var refunded: Set<String> = []
    var crashes = 0
    while race.left > 0 {
      let done = plan.authorizations - race.left
      if crashes < plan.crashes, done > plan.authorizations * (crashes + 1) / (plan.crashes + 1) {
        served.crash()
        served = try ServedProcess(site)
        race.moved(to: served.url)
        crashes += 1
      }
      let purchase = purchases[Int.random(in: 0..<purchases.count, using: &dice)]
      race.turning(purchase.transactionId)
      try turn(purchase.transactionId, &refunded, served)
      race.turned(purchase.transactionId)
    }
    race.wait()
    #expect(race.violations == [])
    #expect(race.strange == [])
    #expect(race.allowed > 0)
    try waitForLapses(purchases, served, key)
    let totals = try totals(purchases, served, key)
    try check(race, purchases, refunded, served, key)
    served.crash()
    let again = try ServedProcess(site)
    #expect(try self.totals(purchases, again, key) == totals)
    #expect(again.stop() == 0)
    #expect(try open() == 0)
  }

  private mutating func buy(_ customers: Int) throws -> [SpendRace.Purchase] {
    var purchases: [SpendRace.Purchase] = []
    for number in 0..<customers {
      let customer = stage.store.enroll("customer \(number)")
      let name = try #require(customer.appAccountToken)
      stage.wait(.seconds(1))
      for product in [SimulatedProduct.coins, .coins, .themes] {
        let bought = try stage.buy(
          product, customer, quantity: product.id == SimulatedProduct.coins.id ? 3 : 1)
        purchases.append(
          .init(
            customer: name, transactionId: bought,
            isCredits: product.id == SimulatedProduct.coins.id))
      }
    }
    return purchases
  }

  private func register(_ customer: String, _ served: ServedProcess, _ key: String) throws {
    let path = "/v1/customers/\(customer)/token"
    let body = "{\"appAccountToken\":\"\(customer)\"}"
    #expect(try served.put(path, body, key: key) == 200)
  }

  /// Refunds what stands and gives back what is refunded, and waits for the 200.
  private mutating func turn(
    _ transactionId: String, _ refunded: inout Set<String>, _ served: ServedProcess
  ) throws {
    stage.wait(.seconds(1))
    let known = stage.store.notifications.count
    if refunded.remove(transactionId) != nil {
      try stage.store.reverseRefund(of: transactionId, at: stage.now)
    } else {
      refunded.insert(transactionId)
      try stage.refund(transactionId)
    }
    for notification in stage.store.notifications[known...] {
      #expect(try served.post(signer.sign(notification)) == 200)
    }
  }

  /// Waits until nothing changes by itself any more: holds last four seconds at most.
  private func waitForLapses(
    _ purchases: [SpendRace.Purchase], _ served: ServedProcess, _ key: String
  ) throws {
    var last: [String] = []
    for _ in 0..<60 {
      Thread.sleep(forTimeInterval: 5)
      let now = try totals(purchases, served, key)
      if now == last { return }
      last = now
    }
    Issue.record("holds do not lapse")
  }

  /// Everything that is told of each customer's credits.
  private func totals(
    _ purchases: [SpendRace.Purchase], _ served: ServedProcess, _ key: String
  ) throws -> [String] {
    try Set(purchases.map(\.customer)).sorted().map { customer in
      let text = try served.get("/v1/customers/\(customer)/balances", key: key)
      let json = try JSONValue(json: Array(text.utf8))
      let balances = (json["balances"]?.array ?? []).map {
        String(decoding: $0.json, as: UTF8.self)
      }
      return "\(customer) \(json["version"]?.integer ?? 0) \(balances)"
    }
  }

  private func check(
    _ race: SpendRace, _ purchases: [SpendRace.Purchase], _ refunded: Set<String>,
    _ served: ServedProcess, _ key: String
  ) throws {
    let records = try spends(served, key)
    let recorded = Dictionary(
      uniqueKeysWithValues: records.map { record in
        (record["authorization"]?.string ?? "", record["amount"]?["microunits"]?.integer ?? -1)
      })
    #expect(race.settled.allSatisfy { recorded[$0.key] == $0.value })
    for record in records {
      let parts = (record["charges"]?.array ?? []).compactMap {
        $0["amount"]?["microunits"]?.integer
      }
      #expect(parts.reduce(0, +) == record["amount"]?["microunits"]?.integer)
    }
    for customer in Set(purchases.map(\.customer)).sorted() {
      try check(customer, records, purchases, refunded, served, key)
    }
  }

  /// The balance by hand: what was bought and stands, less what was drawn, and what nothing covered.
  private func check(
    _ customer: String, _ records: [JSONValue], _ purchases: [SpendRace.Purchase],
    _ refunded: Set<String>, _ served: ServedProcess, _ key: String
  ) throws {
    let text = try served.get("/v1/customers/\(customer)/balances", key: key)
    let json = try JSONValue(json: Array(text.utf8))
    let balance = try #require(json["balances"]?.array?.first { $0["unit"]?.string == "coins" })
    let own = purchases.filter { $0.customer == customer && $0.isCredits }
    let bought = own.filter { !refunded.contains($0.transactionId) }.count * 150
    let charges = records.filter { $0["customer"]?.string == customer }
      .flatMap { $0["charges"]?.array ?? [] }
    let drawn = charges.compactMap { $0["credits"]?.integer }.reduce(0, +)
    let overdrawn = (balance["debts"]?.array ?? []).filter { $0["spend"] != nil }
      .compactMap { $0["credits"]?.integer }.reduce(0, +)
    #expect(balance["balance"]?.integer == Int64(bought) - drawn - overdrawn, "\(customer)")
    #expect(balance["held"]?.integer == 0)
    for lot in balance["lots"]?.array ?? [] {
      let places = ["takenBack", "held", "spent", "paidToDebts", "available"]
      let sum = places.compactMap { lot[$0]?.integer }.reduce(0, +)
      #expect(sum == 150 && lot["filled"]?.integer == 150)
    }
  }

  private func spends(_ served: ServedProcess, _ key: String) throws -> [JSONValue] {
    var found: [JSONValue] = []
    var after: Int64 = 0
    while true {
      let page = try JSONValue(
        json: Array(served.get("/v1/spend?limit=500&after=\(after)", key: key).utf8))
      found += page["spends"]?.array ?? []
      guard let next = page["next"]?.integer else { return found }
      after = next
    }
  }

  private func open() throws -> Int64? {
    let statement = SQLStatement("SELECT count(*) FROM authorizations WHERE state = 'open'")
    return try site.inspect { reader in
      try reader.read { (recorder) throws(StoreError) in
        try recorder.session.number(statement, [])
      }
    }
  }
}
