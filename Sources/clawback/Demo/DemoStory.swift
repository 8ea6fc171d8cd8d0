import AppStoreModel
import AppStoreSimulator

/// The demo's story: the simulated App Store on one side, a backend that asks the gate on the other.
struct DemoStory {
  static let entitlement = "pro"
  /// What a minute of serving costs.
  ///
  /// Unit: milliunits of US dollars.
  static let cost = 400

  let ada: Customer
  let ben: Customer
  let cleo: Customer

  private(set) var steps: [DemoStep] = []
  private(set) var money: DemoMoney

  private var store: SimulatedAppStore
  private let signer: NotificationSigner
  private let poster: NotificationPoster
  private let gate: DemoGate
  private let tell: (DemoStep) -> Void

  init(
    _ store: SimulatedAppStore, signer: NotificationSigner, gate: DemoGate,
    telling tell: @escaping (DemoStep) -> Void
  ) throws {
    self.store = store
    self.signer = signer
    self.gate = gate
    self.tell = tell
    poster = try NotificationPoster(url: gate.base + "/apple/notifications")
    ada = self.store.enroll("Ada")
    ben = self.store.enroll("Ben", withToken: false)
    cleo = self.store.enroll("Cleo")
    money = DemoMoney()
  }

  mutating func play() throws {
    let purchase = try playPurchase()
    try playRefund(of: purchase)
    try playFamily(sharing: purchase)
    try playOldRenewal()
  }

  private mutating func playPurchase() throws -> String {
    let product = SimulatedProduct.pro.id
    var purchase = ""
    try happen("purchase", "Ada subscribes to Pro for 9.99 USD", ada, becomes: "granted") {
      [ada] store, now in purchase = try store.buy(product, by: ada, at: now)
    }
    try spend("spendAfterPurchase", "Ada asks for 0.40 USD of work", on: ada)
    return purchase
  }

  private mutating func playRefund(of purchase: String) throws {
    try happen("refund", "The App Store refunds Ada", ada, becomes: "denied") { store, now in
      try store.refund(purchase, because: .developerIssue, at: now)
    }
    money.afterRefund = try refunded()
    try spend("spendAfterRefund", "Ada asks for 0.40 USD of work", on: ada)
    try happen("refundReversed", "The App Store takes the refund back", ada, becomes: "granted") {
      store, now in try store.reverseRefund(of: purchase, at: now)
    }
    money.afterReversal = try refunded()
    try spend("spendAfterReversal", "Ada asks for 0.40 USD of work", on: ada)
  }

  private mutating func playFamily(sharing purchase: String) throws {
    var share = ""
    try happen("familyShared", "Ada shares Pro with Ben", ben, becomes: "granted") {
      [ben] store, now in share = try store.share(purchase, with: ben, at: now)
    }
    try happen("familyRevoked", "Ada stops sharing: no money moves", ben, becomes: "denied") {
      store, now in try store.stopSharing(share, at: now)
    }
    money.afterFamilyRevocation = try refunded()
  }

  private mutating func playOldRenewal() throws {
    let product = SimulatedProduct.pro.id
    var renewals: [String] = []
    try happen("olderSubscription", "Cleo is in her fourth month", cleo, becomes: "granted") {
      [cleo] store, now in
      let start = now.subtracting(.days(95))
      let chain = try store.buy(product, by: cleo, at: start)
      for month in 1...3 {
        let end = start.adding(.days(Int64(month) * 30)).subtracting(.hours(1))
        renewals.append(try store.renew(chain, at: end))
      }
    }
    let before = try refunded()
    let elapsed = try send { store, now in
      try store.refund(renewals[0], at: now)
    } until: { story in
      try story.refunded() != before
    }
    let answer = try gate.access(name(of: cleo), Self.entitlement)
    add(
      "oldRenewalRefunded", "The App Store refunds Cleo's second month", answer, elapsed)
    money.afterOldRenewalRefund = try refunded()
    try spend("spendAfterOldRenewalRefund", "Cleo asks for 0.40 USD of work", on: cleo)
  }
}

extension DemoStory {
  /// Lets something happen in the App Store and waits until the gate's answer shows it.
  private mutating func happen(
    _ step: String, _ sentence: String, _ customer: Customer, becomes verdict: String,
    _ event: (inout SimulatedAppStore, Timestamp) throws -> Void
  ) throws {
    var answer: DemoGate.Answer?
    let elapsed = try send(event) { story in
      answer = try story.gate.access(story.name(of: customer), Self.entitlement)
      return answer?.verdict == verdict
    }
    if let answer { add(step, sentence, answer, elapsed) }
  }

  /// Sends what the App Store has to say of an event, and asks until the answer is there.
  private mutating func send(
    _ event: (inout SimulatedAppStore, Timestamp) throws -> Void,
    until isShown: (DemoStory) throws -> Bool
  ) throws -> Duration {
    let told = store.notifications.count
    try event(&store, WallClock.now)
    let signed = store.notifications.dropFirst(told).map(signer.sign)
    let start = ContinuousClock.now
    for payload in signed {
      let status = try poster.post(payload)
      guard NotificationPoster.isAccepted(status) else {
        throw CommandFailure("The server answered \(status) to a notification.")
      }
    }
    while try !isShown(self) {
      guard ContinuousClock.now - start < .seconds(10) else {
        throw CommandFailure("The gate's answer did not change within 10 seconds.")
      }
    }
    return ContinuousClock.now - start
  }

  private mutating func spend(_ step: String, _ sentence: String, on customer: Customer) throws {
    let start = ContinuousClock.now
    let answer = try gate.spend(Self.cost, on: name(of: customer), Self.entitlement)
    add(step, sentence, answer, ContinuousClock.now - start)
  }

  private mutating func add(
    _ name: String, _ sentence: String, _ answer: DemoGate.Answer, _ elapsed: Duration
  ) {
    let decisions = ["granted": "allow", "denied": "deny", "allow": "allow", "deny": "deny"]
    let step = DemoStep(
      name: name, decision: decisions[answer.verdict], reason: answer.reason,
      milliseconds: elapsed.milliseconds, sentence: sentence)
    steps.append(step)
    tell(step)
  }

  /// The customer's id in the backend: the token that the app passed, else the server's own name.
  func name(of customer: Customer) -> String {
    customer.appAccountToken ?? "atx:" + customer.appTransactionId
  }

  private func refunded() throws -> Int {
    try [ada, ben, cleo].map { try gate.refunded(name(of: $0)) }.reduce(0, +)
  }
}
