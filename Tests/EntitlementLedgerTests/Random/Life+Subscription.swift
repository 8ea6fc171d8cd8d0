import AppStoreModel
import ChanceSupport

// What a customer does with a subscription.
extension Life {
  mutating func liveWithSubscription() {
    start("a1", tier: "pro.low", previous: nil)
    for _ in 0..<dice.roll(1...7) {
      advance(to: now.adding(pause()))
      act()
    }
    if dice.chance(60) { advance(to: now.adding(pause())) }
  }

  private mutating func pause() -> TimeSpan {
    switch dice.roll(1...4) {
    case 1: dice.span(upTo: .minutes(30))
    case 2: dice.span(upTo: .hours(12))
    case 3: dice.span(upTo: .days(6))
    default: dice.span(upTo: length)
    }
  }

  private mutating func act() {
    guard let original = originals.last else { return }
    switch dice.roll(1...100) {
    case ...34: refundSomething()
    case ...58: reverseSomething()
    case ...68: upgrade(original)
    case ...75: setAutoRenew(!autoRenews(original), original)
    case ...79: send("DID_CHANGE_RENEWAL_PREF", tail(original)?.copy.id ?? original)
    case ...84: moveToBundle(original)
    default: buyAgain(original)
    }
  }

  private mutating func start(_ original: String, tier: String, previous: String?) {
    originals.append(original)
    apple.renewals[original] = []
    sell(original, id: original, tier: tier, from: now, previous: previous)
    send("SUBSCRIBED", original)
  }

  /// The sale that the next renewal would follow.
  func tail(_ original: String) -> SimulatedApple.Sale? {
    apple.chain(original, asOf: now).filter { $0.isGood(asOf: now) }
      .max { ($0.copy.expires ?? now) < ($1.copy.expires ?? now) }
  }

  private func autoRenews(_ original: String) -> Bool {
    apple.state(original, asOf: now)?.note.autoRenews ?? false
  }

  mutating func sell(
    _ original: String, id: String, tier: String, from purchased: Timestamp, previous: String? = nil
  ) {
    var copy = Copy.period(id, purchased, purchased.adding(length), of: original)
    copy.previousOriginal =
      previous ?? apple.chain(original, asOf: now).first?.copy.previousOriginal
    copy.product = tier
    copy.owner = owner
    apple.sales.append(SimulatedApple.Sale(copy: copy, made: now))
    write(original) {
      $0 = RenewalNote(original: original, signed: $0.signed, renewalDate: copy.expires)
    }
    plan(copy)
  }

  /// Changes what Apple knows of the renewal from now on.
  mutating func write(
    _ original: String, graceOf: String? = nil, _ change: (inout RenewalNote) -> Void
  ) {
    var note =
      apple.state(original, asOf: now)?.note ?? RenewalNote(original: original, signed: now)
    change(&note)
    apple.renewals[original]?.append(
      SimulatedApple.RenewalState(since: now, note: note, graceOf: graceOf))
  }

  private mutating func setAutoRenew(_ isOn: Bool, _ original: String) {
    guard let tail = tail(original), tail.copy.expires ?? now > now else { return }
    write(original) { $0.autoRenews = isOn }
    send("DID_CHANGE_RENEWAL_STATUS", tail.copy.id)
  }

  private mutating func upgrade(_ original: String) {
    let live = apple.chain(original, asOf: now).filter { $0.isLive(at: now) }
    guard !live.isEmpty else { return }
    let replaced = apple.chain(original, asOf: now).filter {
      $0.isGood(asOf: now) && $0.copy.expires ?? now > now
    }
    for sale in replaced {
      if let index = index(sale.copy.id) { apple.sales[index].upgraded.append((now, true)) }
    }
    let id = newId("u")
    sell(original, id: id, tier: "pro.high", from: now)
    send("DID_CHANGE_RENEWAL_PREF", id)
  }

  private mutating func buyAgain(_ original: String) {
    let isLive = apple.chain(original, asOf: now).contains {
      $0.isGood(asOf: now) && $0.copy.expires ?? now > now
    }
    guard !isLive, !apple.isInGrace(original, at: now) else { return }
    let id = newId("s")
    sell(original, id: id, tier: dice.chance(70) ? "pro.low" : "pro.high", from: now)
    send("SUBSCRIBED", id)
  }

  private mutating func moveToBundle(_ original: String) {
    guard owner == .purchased, originals.count == 1,
      let sale = apple.chain(original, asOf: now).last(where: { $0.isLive(at: now) }),
      let index = index(sale.copy.id)
    else { return }
    let chain = apple.chain(original, asOf: now)
    let isFutureBought = chain.contains { $0.isGood(asOf: now) && $0.copy.purchased > now }
    let liveCount = chain.count { $0.isLive(at: now) }
    guard !isFutureBought, liveCount == 1 else { return }
    apple.sales[index].revocations.append((Copy.Revoked(date: now, reason: 2), nil))
    write(original) { $0.autoRenews = false }
    now = now.adding(.seconds(2))
    start("b1", tier: "bundle", previous: original)
  }
}
