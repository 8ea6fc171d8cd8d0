import AppStoreModel
import EntitlementLedger
import Testing

struct UnusableFactTests {
  typealias Change = @Sendable (inout JWSTransactionDecodedPayload) -> Void

  private static let incomplete: [(String, Change)] = [
    ("transactionId", { $0.transactionId = nil }),
    ("transactionId", { $0.transactionId = "" }),
    ("originalTransactionId", { $0.originalTransactionId = nil }),
    ("productId", { $0.productId = nil }),
    ("purchaseDate", { $0.purchaseDate = nil }),
    ("signedDate", { $0.signedDate = nil }),
    ("bundleId", { $0.bundleId = nil }),
  ]

  @Test(arguments: incomplete)
  func `a transaction without what a decision needs is no fact`(name: String, change: Change) {
    #expect(throws: UnusableFact.missing(name)) { try seen(Sample.month("1", change)) }
  }

  @Test func `a renewal without its chain or its date is no fact`() {
    #expect(throws: UnusableFact.missing("originalTransactionId")) {
      try seen(Sample.renewal { $0.originalTransactionId = nil })
    }
    #expect(throws: UnusableFact.missing("signedDate")) {
      try seen(Sample.renewal { $0.signedDate = nil })
    }
  }

  @Test func `a notification about no purchase, or without its name, is no fact`() {
    #expect(throws: UnusableFact.missing("signedTransactionInfo")) {
      try notified(.test, .day(0), nil)
    }
    #expect(throws: UnusableFact.missing("notificationUUID")) {
      try notified(.refund, .day(0), Sample.month(), uuid: "")
    }
  }

  @Test func `parts that belong to different chains are no fact`() {
    let other = Sample.renewal { $0.originalTransactionId = "2" }
    #expect(throws: UnusableFact.chainsDiffer) {
      try notified(.didRenew, .day(0), Sample.month(), other)
    }
    #expect(throws: UnusableFact.chainsDiffer) { try reported(.active, Sample.month(), other) }
  }

  @Test func `parts of different apps, environments or realms are no fact`() {
    #expect(throws: UnusableFact.scopesDiffer) {
      try notified(.refund, .day(0), Sample.month { $0.bundleId = "com.example.other" })
    }
    #expect(throws: UnusableFact.scopesDiffer) {
      try notified(.refund, .day(0), Sample.month { $0.environment = .sandbox })
    }
    #expect(throws: UnusableFact.scopesDiffer) {
      let realm = Realm.test(fingerprint: String(repeating: "0", count: 64))
      _ = try LedgerFact.from(
        Sample.proved(Sample.envelope(.refund, .day(0))),
        transaction: Sample.proved(Sample.month(), realm), renewal: nil, channel: .notification)
    }
  }

  @Test(arguments: [nil, AppStoreEnvironment.unknown("Moon")])
  func `a missing or unknown environment is that of the envelope, never Production by default`(
    environment: AppStoreEnvironment?
  ) throws {
    let payload = Sample.month { $0.environment = environment }
    #expect(throws: UnusableFact.environmentUnknown) { try seen(payload) }
    #expect(try notified(.refund, .day(0), payload).scope.environment == .production)
    let polled = try TransactionFact(
      Sample.proved(payload), channel: .poll, environment: .sandbox)
    #expect(polled.scope.environment == .sandbox)
  }

  @Test func `the first cause is named, and each says what to do`() {
    let causes: [UnusableFact] = [
      .missing("signedDate"), .scopesDiffer, .environmentUnknown, .chainsDiffer,
    ]
    #expect(Set(causes.map(\.description)).count == causes.count)
    for cause in causes {
      #expect(!cause.advice.isEmpty)
      #expect(!cause.isTransient)
    }
    #expect(throws: UnusableFact.missing("productId")) {
      try seen(
        Sample.month {
          $0.productId = nil
          $0.environment = nil
        })
    }
  }
}
