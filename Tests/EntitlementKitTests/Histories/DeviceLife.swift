import AppStoreModel
import ChanceSupport
import EntitlementKit
import EntitlementKitTesting
import EntitlementLedger

/// One seeded life of a device: what happens in the store, what the kit gets to see of it, and two
/// judges of every answer that know nothing of the ledger's rules.
struct DeviceLife {
  static let rule = EntitlementRule(
    "pro", products: ["lifetime", "monthly", "yearly", "bundle", "season"],
    whenUnknown: .keepLastKnown(for: .days(3)), lengths: ["season": .days(20)])
  private static let realm = Realm.test(fingerprint: String(repeating: "0", count: 64))

  private var chance: Dice
  private var store = SimulatedStore(
    bundleID: "com.example.app", now: Timestamp(millisecondsSince1970: 1_790_000_000_000),
    owner: "701")
  private var holdings = Holdings(
    rules: [DeviceLife.rule], realm: DeviceLife.realm, bundleID: "com.example.app")
  private var seen = SeenCopies()
  private var items: [SimulatedPurchase: StoreTransaction] = [:]
  private(set) var story: [String] = []

  init(seed: UInt64) {
    chance = Dice(seed: seed)
  }

  /// Lives, and returns the first wrong answer.
  mutating func run(steps: Int) -> String? {
    for _ in 0..<steps {
      step()
      if let fault = judge(afterGoodReading: false) { return fault }
    }
    read(attempt: ReadingVerdict.retryDelays.count, isGood: true)
    return judge(afterGoodReading: true)
  }

  // MARK: What happens

  private mutating func step() {
    // Two different texts are never signed at the same moment.
    store.now = store.now.adding(.seconds(1))
    switch chance.roll(below: 12) {
    case 0: note("buy", store.buy("lifetime", type: .nonConsumable))
    case 1: buyShare()
    case 2: subscribe()
    case 3: note("season", store.buy("season", type: .nonRenewingSubscription))
    case 4: refundSomething()
    case 5: reverseSomething()
    case 6: changeSubscription()
    case 7: relaunch()
    case 8: readWithFaults()
    case 9: read(attempt: ReadingVerdict.retryDelays.count, isGood: true)
    default: passTime()
    }
  }

  private mutating func buyShare() {
    note(
      "share", store.buy("lifetime", type: .nonConsumable, ownership: .familyShared))
  }

  private mutating func subscribe() {
    guard !store.renewals.keys.contains(where: { store.state(of: $0) == .active }) else { return }
    let days: Int64 = chance.roll(below: 2) == 0 ? 7 : 30
    note(
      "subscribe",
      store.buy(
        "monthly", type: .autoRenewableSubscription, group: "g", period: .days(days)))
  }

  private mutating func refundSomething() {
    let open = store.purchases.filter { $0.revocation == nil && !$0.isUpgraded }
    guard let purchase = chance.pick(open) else { return }
    let type: RevocationType = purchase.ownership == .familyShared ? .familyRevoke : .refundFull
    store.revoke(purchase.id, type: type, reason: .other, percentage: nil)
    note("refund", purchase.id)
  }

  private mutating func reverseSomething() {
    let taken = store.purchases.filter {
      $0.revocation != nil && $0.revocation?.reason != .upgradedToBundle
    }
    guard let purchase = chance.pick(taken) else { return }
    store.restore(purchase.id)
    note("reverse", purchase.id)
  }

  private mutating func changeSubscription() {
    guard let original = chance.pick(store.renewals.keys.sorted()) else { return }
    let isActive = store.state(of: original) == .active
    switch chance.roll(below: 4) {
    case 0 where isActive:
      if let id = store.upgrade(original, to: "yearly", period: .days(60)) { note("upgrade", id) }
    case 1 where isActive:
      let id = store.moveToBundle(original, bundle: "bundle", group: "b", period: .days(30))
      if let id { note("bundle", id) }
    default:
      let isOn = chance.roll(below: 2) == 0
      store.changeRenewal(original) { $0.willRenew = isOn }
      story.append("renew \(original) \(isOn)")
    }
  }

  private mutating func passTime() {
    let hours = Int64(1 + chance.roll(below: 240))
    store.now = store.now.adding(.hours(hours))
    story.append("+\(hours)h")
    for original in store.renewals.keys.sorted() { fallDue(original) }
  }

  /// A period that is over is renewed, fails, or ends.
  private mutating func fallDue(_ original: String) {
    guard let last = store.newest(of: original), let end = last.expiresDate, end <= store.now,
      last.revocation == nil, let renewal = store.renewals[original], renewal.willRenew,
      !renewal.isInBillingRetry
    else { return }
    switch chance.roll(below: 4) {
    case 0:
      let grace = chance.roll(below: 2) == 0 ? end.adding(.days(16)) : nil
      store.changeRenewal(original) {
        $0.isInBillingRetry = true
        $0.intent = .billingError
        $0.graceEnd = grace
      }
      story.append("billing \(original) \(grace == nil ? "" : "grace")")
    default:
      if let id = store.renew(original) { note("renewed", id) }
    }
  }

  // MARK: What the kit sees

  private mutating func note(_ word: String, _ id: String) {
    store.change(id) { _ in }
    story.append("\(word) \(id)")
    if chance.roll(below: 3) != 0, let purchase = store.purchase(id) { announce(purchase) }
  }

  private mutating func announce(_ purchase: SimulatedPurchase) {
    let item = item(purchase)
    _ = holdings.takeAnnounced(item, at: store.now)
    seen.add(item)
    story.append("announced \(purchase.id)")
  }

  private mutating func readWithFaults() {
    read(attempt: Int(chance.roll(below: 4)), isGood: false)
  }

  private mutating func read(attempt: Int, isGood: Bool) {
    var reading = Reading(startedAt: store.now, attempt: attempt)
    if !isGood, chance.roll(below: 4) == 0 { reading.isCancelled = true }
    let isEmpty = reading.isCancelled || (!isGood && chance.roll(below: 3) == 0)
    reading.app = StoreAppTransaction(appTransactionID: "701", environment: .production)
    if !isEmpty {
      reading.listed = store.listed.map { item($0) }
      if isGood || chance.roll(below: 2) == 0 { reading.history = store.history.map { item($0) } }
    }
    for group in ["g", "b"] {
      if isEmpty || (!isGood && chance.roll(below: 3) == 0) {
        reading.silentGroups.insert(group)
      } else {
        reading.statuses += store.chains(ofGroup: group).compactMap { status($0) }
      }
    }
    for item in reading.transactions { seen.add(item) }
    for status in reading.statuses { seen.add(status) }
    _ = holdings.accept(reading, at: store.now)
    story.append("read good:\(isGood) empty:\(isEmpty) attempt:\(attempt)")
  }

  private mutating func relaunch() {
    let bytes = holdings.cached(at: store.now)
    var next = Holdings(
      rules: [Self.rule], realm: Self.realm, bundleID: "com.example.app")
    do throws(CacheProblem) {
      try next.restore(cached: bytes)
    } catch {
      story.append("cache: \(error)")
    }
    holdings = next
    story.append("relaunch")
  }

  private mutating func item(_ purchase: SimulatedPurchase) -> StoreTransaction {
    if let known = items[purchase] { return known }
    let payload = store.payload(purchase)
    let item = StoreTransaction(jws: SimulatedDevice.unsigned(payload.json()), payload: payload)
    items[purchase] = item
    return item
  }

  private mutating func status(_ original: String) -> StoreStatus? {
    guard let newest = store.newest(of: original), let renewal = store.renewals[original] else {
      return nil
    }
    let payload = store.payload(renewal)
    return StoreStatus(
      state: store.state(of: original), transaction: item(newest),
      renewal: StoreRenewal(jws: SimulatedDevice.unsigned(payload.json()), payload: payload))
  }

  // MARK: The judges

  private func judge(afterGoodReading: Bool) -> String? {
    let answer = holdings.entitlement(Self.rule, at: store.now)
    let truth = Truth(store).grants
    if case .entitled = answer.answer, !seen.couldGrant(at: store.now) {
      return fault("entitled without any copy that could grant", answer, truth)
    }
    if truth, case .notEntitled = answer.answer, seen.mustGrant(at: store.now) {
      return fault("locked against a clean copy that was seen last", answer, truth)
    }
    guard afterGoodReading else { return nil }
    switch answer.answer {
    case .entitled where truth || answer.isProvisional: return nil
    case .notEntitled where !truth: return nil
    case .unknown(last: nil) where !truth && store.purchases.isEmpty: return nil
    default: return fault("another answer than the truth after a good reading", answer, truth)
    }
  }

  private func fault(_ what: String, _ answer: Entitlement, _ truth: Bool) -> String {
    "\(what): \(answer), truth \(truth)\n" + story.joined(separator: "\n")
  }
}

/// What the store itself would say of "pro".
private struct Truth {
  let grants: Bool

  init(_ store: SimulatedStore) {
    grants = store.purchases.contains { purchase in
      guard purchase.revocation == nil else { return false }
      switch purchase.type {
      case .nonConsumable: return true
      case .nonRenewingSubscription: return store.now < purchase.purchaseDate.adding(.days(20))
      case .autoRenewableSubscription:
        let state = store.state(of: purchase.originalID)
        return store.newest(of: purchase.originalID)?.id == purchase.id
          && (state == .active || state == .billingGracePeriod)
      case .consumable, .unknown: return false
      }
    }
  }
}

/// Every copy that came to the device, kept by the naive rule: the one signed last counts.
private struct SeenCopies {
  private var newest: [String: JWSTransactionDecodedPayload] = [:]
  private var graces: [String: Timestamp] = [:]

  mutating func add(_ item: StoreTransaction) {
    guard let payload = item.payload, let id = payload.transactionId else { return }
    let known = newest[id]?.signedDate ?? .distantPast
    let date = payload.signedDate ?? .distantPast
    if date > known || date == known && payload.revocationDate != nil { newest[id] = payload }
  }

  mutating func add(_ status: StoreStatus) {
    guard let renewal = status.renewal?.payload, let id = renewal.originalTransactionId,
      let grace = renewal.gracePeriodExpiresDate
    else { return }
    graces[id] = max(graces[id] ?? .distantPast, grace)
  }

  /// Whether any copy that was seen could grant by any reading of it.
  func couldGrant(at now: Timestamp) -> Bool {
    newest.values.contains { copy in
      guard copy.revocationDate == nil || copy.revocationReason == .upgradedToBundle else {
        return false
      }
      return grants(copy, at: now, leeway: RuleBook.renewalLeeway)
    }
  }

  /// Whether a copy that was seen last grants by any reading of it: a purchase for good.
  func mustGrant(at now: Timestamp) -> Bool {
    newest.values.contains {
      $0.revocationDate == nil && $0.type == .nonConsumable
    }
  }

  private func grants(
    _ copy: JWSTransactionDecodedPayload, at now: Timestamp, leeway: TimeSpan
  ) -> Bool {
    let bought = copy.purchaseDate ?? .distantPast
    switch copy.type {
    case .nonConsumable: return true
    case .nonRenewingSubscription: return now < bought.adding(.days(20))
    default:
      let end = (copy.expiresDate ?? .distantPast).adding(leeway)
      let grace = graces[copy.originalTransactionId ?? ""] ?? .distantPast
      return now < max(end, grace)
    }
  }
}
