import AppStoreModel
import AppStoreSimulator
import Testing

struct HistoryAnswerTests {
  private var caller: Caller
  private let ada: Customer
  private let chain: String
  private let coins: [String]

  /// One subscription, then 44 packs of coins, one a minute.
  init() throws {
    var people: [Customer] = []
    var ids: [String] = []
    caller = try Caller { store, now in
      let ada = store.enroll("Ada")
      people.append(ada)
      ids.append(try store.buy(SimulatedProduct.pro.id, by: ada, at: now.subtracting(.days(2))))
      for minute in 0..<44 {
        let then = now.subtracting(.days(1)).adding(.minutes(Int64(minute)))
        ids.append(try store.buy(SimulatedProduct.coins.id, by: ada, at: then))
      }
    }
    ada = people[0]
    chain = ids[0]
    coins = Array(ids.dropFirst())
  }

  private mutating func walk(
    _ query: String = "", _ path: String? = nil, between: (inout Caller) throws -> Void = { _ in }
  ) throws -> [String?] {
    var seen: [String?] = []
    var revision = ""
    while true {
      let answer = try caller.get("\(path ?? "/inApps/v2/history/\(chain)")?\(query)\(revision)")
      seen += try Caller.ids(answer)
      revision = "&revision=" + (answer["revision"]?.string ?? "")
      guard answer["hasMore"] == .bool(true) else { return seen }
      try between(&caller)
    }
  }

  @Test mutating func `a history comes in pages of twenty, oldest change first`() throws {
    let first = try caller.get("/inApps/v2/history/\(chain)")
    #expect(try Caller.ids(first) == [chain] + coins.prefix(19))
    #expect(first["hasMore"] == .bool(true))
    #expect(first["environment"]?.string == "Production")
    #expect(first["bundleId"]?.string == "com.example.app")
    #expect(first["appAppleId"]?.integer == 1_234_567_890)
    #expect(try walk() == [chain] + coins)
    #expect(try walk("sort=DESCENDING") == (coins.reversed() + [chain]))
    #expect(try walk("", "/inApps/v2/history/\(ada.appTransactionId)") == [chain] + coins)
  }

  @Test mutating func `what changes between two pages comes again at the end`() throws {
    let refunded = coins[0]
    var isDone = false
    let seen = try walk { caller in
      guard !isDone else { return }
      isDone = true
      try caller.server.change(.production, at: caller.now) { (store, now) throws(StoreRefusal) in
        try store.refund(refunded, at: now)
      }
    }
    #expect(seen == [chain] + coins + [refunded])
  }

  @Test mutating func `the last revision tells later what came since`() throws {
    var revision = ""
    var answer = try caller.get("/inApps/v2/history/\(chain)")
    while true {
      revision = answer["revision"]?.string ?? ""
      guard answer["hasMore"] == .bool(true) else { break }
      answer = try caller.get("/inApps/v2/history/\(chain)?revision=\(revision)")
    }
    let path = "/inApps/v2/history/\(chain)?revision=\(revision)"
    #expect(try Caller.ids(caller.get(path)) == [])
    let old = coins[3]
    try caller.server.change(.production, at: caller.now) { (store, now) throws(StoreRefusal) in
      try store.refund(old, at: now)
    }
    #expect(try Caller.ids(caller.get(path)) == [old])
  }

  @Test(arguments: [
    ("productType=AUTO_RENEWABLE", 1), ("productType=CONSUMABLE", 44),
    ("productType=CONSUMABLE&productType=AUTO_RENEWABLE", 45), ("productType=NON_CONSUMABLE", 0),
    ("productId=com.example.app.pro", 1), ("productId=com.example.app.pro&productId=x", 1),
    ("subscriptionGroupIdentifier=21345678", 1), ("revoked=true", 0), ("revoked=false", 45),
    ("inAppOwnershipType=PURCHASED", 45), ("inAppOwnershipType=FAMILY_SHARED", 0),
    ("startDate=1789913600000", 44), ("endDate=1789913600000", 1),
    ("startDate=1789827200000&endDate=1789827200001", 1),
  ])
  mutating func `a query narrows the history`(query: String, count: Int) throws {
    #expect(try walk(query).count == count)
  }

  @Test(arguments: [
    ("sort=UP", 4_000_021), ("productType=Consumable", 4_000_022), ("productId=", 4_000_023),
    ("subscriptionGroupIdentifier=", 4_000_024), ("inAppOwnershipType=MINE", 4_000_026),
    ("revoked=yes", 4_000_030), ("startDate=x", 4_000_015), ("endDate=-1", 4_000_016),
    ("startDate=5&endDate=5", 4_000_013), ("revision=x", 4_000_005), ("revision=", 4_000_005),
  ])
  mutating func `a query that makes no sense is refused by number`(query: String, code: Int) {
    #expect(caller.verdict("GET", "/inApps/v2/history/\(chain)?\(query)") == "400 \(code)")
  }

  @Test mutating func `the first version leaves out consumables that were finished`() throws {
    for id in coins.prefix(30) {
      #expect(caller.verdict("POST", "/inApps/v1/transactions/\(id)/finish") == "200")
    }
    #expect(try walk("", "/inApps/v1/history/\(chain)").count == 15)
    #expect(try walk().count == 45)
  }

  @Test mutating func `refunds come by date, and stay away after a reversal`() throws {
    for (minute, id) in coins.prefix(25).reversed().enumerated() {
      caller.now = Caller.now.adding(.minutes(Int64(minute)))
      try caller.server.change(.production, at: caller.now) { (store, now) throws(StoreRefusal) in
        try store.refund(id, at: now)
      }
    }
    let path = "/inApps/v2/refund/lookup/\(chain)"
    #expect(try walk("", path) == coins.prefix(25).reversed())
    #expect(try Caller.ids(caller.get("/inApps/v1/refund/lookup/\(chain)")).count == 25)
    let (back, now) = (coins[0], caller.now)
    try caller.server.change(.production, at: now) { (store, now) throws(StoreRefusal) in
      try store.reverseRefund(of: back, at: now)
    }
    #expect(try walk("", path).contains(back) == false)
    #expect(caller.verdict("GET", path + "?revision=x") == "400 4000005")
  }

  @Test(arguments: [
    ("/inApps/v1/transactions/abc", "400 4000006"), ("/inApps/v1/transactions/1", "404 4040010"),
    ("/inApps/v2/history/1", "404 4040010"), ("/inApps/v1/subscriptions/1", "404 4040010"),
    ("/inApps/v2/refund/lookup/1", "404 4040010"),
    ("/inApps/v1/refund/lookup/1", "404 4040005"), ("/inApps/v1/nothing", "404"),
    ("/inapps/v1/transactions/1", "404"),
    ("/inApps/v1/transactions/appTransactions/1", "404 4040010"),
  ])
  mutating func `what nobody bought is not found`(path: String, verdict: String) {
    #expect(caller.verdict("GET", path) == verdict)
  }

  @Test mutating func `a purchase of one environment is unknown in the other`() throws {
    let path = "/inApps/v1/transactions/\(chain)"
    #expect(caller.verdict("GET", path) == "200")
    #expect(caller.verdict("GET", "/sandbox" + path) == "404 4040010")
    let info = try caller.get(path)["signedTransactionInfo"]?.string
    #expect(try Caller.payload(info)["transactionId"]?.string == chain)
    #expect(try Caller.payload(info)["signedDate"]?.integer == caller.now.millisecondsSince1970)
    #expect(
      caller.verdict("GET", "/inApps/v1/transactions/\(ada.appTransactionId)") == "400 4000048")
    let download = try caller.get("/inApps/v1/transactions/appTransactions/\(chain)")
    let app = try Caller.payload(download["signedAppTransactionInfo"]?.string)
    #expect(app["appTransactionId"]?.string == ada.appTransactionId)
  }

  @Test mutating func `an order is looked up in production only`() throws {
    let order = "MT" + chain.suffix(10)
    let found = try caller.get("/inApps/v1/lookup/\(order)")
    #expect(found["status"]?.integer == 0)
    #expect(try Caller.ids(found) == [chain])
    let missing = try caller.get("/inApps/v1/lookup/MT0")
    #expect(missing["status"]?.integer == 1)
    #expect(missing["signedTransactions"] == nil)
    #expect(caller.verdict("GET", "/sandbox/inApps/v1/lookup/\(order)") == "404")
  }

  @Test mutating func `subscriptions are told by group, and by status if one is asked for`() throws
  {
    let all = try caller.get("/inApps/v1/subscriptions/\(chain)")
    let group = all["data"]?.array?.first
    #expect(group?["subscriptionGroupIdentifier"]?.string == "21345678")
    let last = group?["lastTransactions"]?.array?.first
    #expect(last?["status"]?.integer == 1)
    #expect(last?["originalTransactionId"]?.string == chain)
    let renewal = try Caller.payload(last?["signedRenewalInfo"]?.string)
    #expect(renewal["originalTransactionId"]?.string == chain)
    let ended = try caller.get("/inApps/v1/subscriptions/\(chain)?status=2&status=5")
    #expect(ended["data"]?.array == [])
    #expect(
      caller.verdict("GET", "/inApps/v1/subscriptions/\(chain)?status=6") == "400 4000031")
  }

  @Test mutating func `with a lag the API is behind the notification`() throws {
    caller.server.switches.lag = .minutes(5)
    let chain = chain
    try caller.server.change(.production, at: caller.now) { (store, now) throws(StoreRefusal) in
      try store.refund(chain, at: now)
    }
    func isRevoked(_ caller: inout Caller) throws -> Bool {
      let info = try caller.get("/inApps/v1/transactions/\(chain)")
      return try Caller.payload(info["signedTransactionInfo"]?.string)["revocationDate"] != nil
    }
    #expect(try !isRevoked(&caller))
    let statuses = try caller.get("/inApps/v1/subscriptions/\(chain)?status=1")
    #expect(statuses["data"]?.array?.count == 1)
    caller.now = caller.now.adding(.minutes(4))
    #expect(try !isRevoked(&caller))
    caller.now = caller.now.adding(.minutes(2))
    #expect(try isRevoked(&caller))
  }
}
