import AppStoreModel
import ChanceSupport

// What goes back to a customer, and what is taken from them again.
extension Life {
  mutating func refundSomething() {
    let candidates = apple.sales.filter {
      $0.made <= now && $0.revocation(asOf: now) == nil && !isMoved($0)
    }
    let chosen = dice.chance(55) ? candidates.last : dice.pick(candidates)
    guard let sale = chosen, let index = index(sale.copy.id) else { return }
    apple.sales[index].revocations.append((revocation(), nil))
    let original = sale.copy.original
    if sale.copy.kind == .subscription {
      stopRenewal(of: sale, original)
      if quirks.revivesLowerTier { revive(sale, original) }
    }
    send(owner == .purchased ? "REFUND" : "REVOKE", sale.copy.id)
  }

  private func isMoved(_ sale: SimulatedApple.Sale) -> Bool {
    sale.revocations.contains { $0.0.reason == 2 }
  }

  private mutating func revocation() -> Copy.Revoked {
    var revoked = Copy.Revoked(date: now, reason: Int32(dice.roll(0...1)))
    guard dice.chance(75) else { return revoked }
    switch owner {
    case .purchased:
      let isWhole = dice.chance(60)
      revoked.type = isWhole ? "REFUND_FULL" : "REFUND_PRORATED"
      revoked.share = isWhole ? 100_000 : Int32(dice.roll(1...99_999))
    case .family: revoked.type = "FAMILY_REVOKE"
    case .assigned, .unheardOf: revoked.type = "ASSIGNMENT_REVOKE"
    }
    return revoked
  }

  private mutating func stopRenewal(of sale: SimulatedApple.Sale, _ original: String) {
    let state = apple.state(original, asOf: now)
    if state?.graceOf == sale.copy.id {
      write(original) {
        $0.graceUntil = nil
        $0.isInRetry = nil
        $0.autoRenews = false
      }
    } else if sale.copy.expires ?? now > now, dice.chance(70) {
      write(original, graceOf: state?.graceOf) { $0.autoRenews = false }
    }
  }

  /// Gives back what an upgrade had replaced when it was bought.
  private mutating func revive(_ upgrade: SimulatedApple.Sale, _ original: String) {
    for sale in apple.chain(original, asOf: now) where sale.copy.expires ?? now > now {
      guard sale.upgraded.last?.at == upgrade.made, let index = index(sale.copy.id) else {
        continue
      }
      apple.sales[index].upgraded.append((now, false))
    }
  }

  mutating func reverseSomething() {
    let candidates = apple.sales.filter { $0.revocation(asOf: now) != nil && !isMoved($0) }
    guard let sale = dice.chance(60) ? candidates.last : dice.pick(candidates),
      let index = index(sale.copy.id)
    else { return }
    let last = apple.sales[index].revocations.count - 1
    apple.sales[index].revocations[last].reversed = now
    if let expires = sale.copy.expires, expires > now {
      agenda.append((expires, .expire(sale.copy.id)))
    }
    if owner == .purchased {
      send("REFUND_REVERSED", sale.copy.id)
    } else if dice.chance(50) {
      send(sale.copy.kind == .subscription ? "SUBSCRIBED" : "ONE_TIME_CHARGE", sale.copy.id)
    }
  }

  /// A purchase that is no subscription.
  mutating func liveWithPurchase(_ kind: Copy.Kind) {
    for count in 0..<dice.roll(1...2) {
      let id = newId("p")
      if kind == .season, count > 0, dice.chance(50) { now = now.adding(SimulatedApple.term) }
      var copy = Copy.once(id, kind, now)
      copy.owner = owner
      copy.quantity = Int32(dice.roll(1...3))
      originals.append(id)
      apple.sales.append(SimulatedApple.Sale(copy: copy, made: now))
      send("ONE_TIME_CHARGE", id)
      for _ in 0..<dice.roll(0...4) {
        now = now.adding(dice.span(upTo: dice.chance(50) ? .minutes(40) : .days(20)))
        if dice.chance(50) { refundSomething() } else { reverseSomething() }
      }
    }
  }
}
