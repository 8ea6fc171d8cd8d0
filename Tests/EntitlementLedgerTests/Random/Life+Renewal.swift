import AppStoreModel
import ChanceSupport

// What Apple does by itself when a period nears its end.
extension Life {
  mutating func plan(_ copy: Copy) {
    guard let expires = copy.expires else { return }
    if dice.chance(75) {
      let early = dice.chance(80) ? dice.span(upTo: .hours(24)) : .zero
      agenda.append((expires.subtracting(early), .renew(copy.id)))
    } else {
      agenda.append((expires, .fail(copy.id)))
    }
    agenda.append((expires, .expire(copy.id)))
  }

  mutating func run(_ errand: Errand) {
    switch errand {
    case .renew(let id): if mayRenew(id) { renew(id, from: nil) }
    case .fail(let id): if mayRenew(id) { fail(id) }
    case .recover(let id): if isInRetry(id) { recover(id) }
    case .endGrace(let id): if isInRetry(id) { endGrace(id) }
    case .giveUp(let id): if isInRetry(id) { giveUp(id) }
    case .expire(let id): expire(id)
    }
  }

  private func sale(_ id: String) -> SimulatedApple.Sale? {
    index(id).map { apple.sales[$0] }
  }

  private func mayRenew(_ id: String) -> Bool {
    guard let sale = sale(id), tail(sale.copy.original)?.copy.id == id else { return false }
    let note = apple.state(sale.copy.original, asOf: now)?.note
    return note?.autoRenews == true && note?.isInRetry != true
  }

  private func isInRetry(_ id: String) -> Bool {
    guard let sale = sale(id), tail(sale.copy.original)?.copy.id == id else { return false }
    let state = apple.state(sale.copy.original, asOf: now)
    return state?.note.isInRetry == true && state?.graceOf == id
  }

  private mutating func renew(_ id: String, from purchased: Timestamp?) {
    guard let old = sale(id)?.copy, let expires = old.expires else { return }
    let new = newId("r")
    sell(old.original, id: new, tier: old.product, from: purchased ?? expires)
    send("DID_RENEW", new)
  }

  private mutating func fail(_ id: String) {
    guard let old = sale(id)?.copy, let expires = old.expires else { return }
    // Renewal follows the newest purchase: nobody is asked to pay again for what it replaced.
    guard apple.chain(old.original, asOf: now).last?.copy.id == id else { return expire(id) }
    let grace = dice.chance(60) ? expires.adding(.days(length > .days(7) ? 16 : 6)) : nil
    write(old.original, graceOf: id) {
      $0.isInRetry = true
      $0.expirationIntent = 2
      $0.graceUntil = grace
    }
    send("DID_FAIL_TO_RENEW", id)
    if dice.chance(50) {
      let later = dice.span(upTo: .days(dice.chance(60) ? 6 : 50))
      agenda.append((now.adding(later), .recover(id)))
    }
    if let grace { agenda.append((grace, .endGrace(id))) }
    agenda.append((expires.adding(.days(60)), .giveUp(id)))
  }

  private mutating func recover(_ id: String) {
    guard let old = sale(id)?.copy else { return }
    renew(id, from: apple.isInGrace(old.original, at: now) ? old.expires : now)
  }

  private mutating func endGrace(_ id: String) {
    guard let old = sale(id)?.copy else { return }
    write(old.original, graceOf: id) { $0.graceUntil = nil }
    send("GRACE_PERIOD_EXPIRED", id)
  }

  private mutating func giveUp(_ id: String) {
    guard let old = sale(id)?.copy else { return }
    write(old.original) {
      $0.isInRetry = false
      $0.graceUntil = nil
      $0.autoRenews = false
    }
    send("EXPIRED", id)
  }

  /// Ends what nobody renews.
  private mutating func expire(_ id: String) {
    guard let sale = sale(id), sale.isGood(asOf: now), tail(sale.copy.original)?.copy.id == id,
      apple.state(sale.copy.original, asOf: now)?.note.isInRetry != true,
      apple.state(sale.copy.original, asOf: now)?.note.expirationIntent == nil
    else { return }
    let intent: Int32 =
      apple.state(sale.copy.original, asOf: now)?.note.autoRenews == true ? 5 : 1
    write(sale.copy.original) {
      $0.expirationIntent = intent
      $0.autoRenews = false
    }
    send("EXPIRED", id)
  }
}
