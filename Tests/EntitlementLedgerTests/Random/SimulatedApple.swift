import AppStoreModel

/// What Apple itself knows: every purchase with its whole past, so that a channel can show any of
/// it as it was a while ago.
struct SimulatedApple {
  struct Sale {
    /// Without a date of signing, a revocation or an upgrade.
    var copy: Copy
    var made: Timestamp
    var revocations: [(Copy.Revoked, reversed: Timestamp?)] = []
    /// Its upgrade and, where Apple takes that back, the end of it.
    var upgraded: [(at: Timestamp, isUpgraded: Bool)] = []

    func revocation(asOf date: Timestamp) -> Copy.Revoked? {
      guard let last = revocations.last(where: { $0.0.date <= date }) else { return nil }
      if let reversed = last.reversed, reversed <= date { return nil }
      return last.0
    }

    func isUpgraded(asOf date: Timestamp) -> Bool {
      upgraded.last { $0.at <= date }?.isUpgraded ?? false
    }

    func isGood(asOf date: Timestamp) -> Bool {
      made <= date && revocation(asOf: date) == nil && !isUpgraded(asOf: date)
    }

    func isLive(at date: Timestamp) -> Bool {
      guard isGood(asOf: date) else { return false }
      guard let expires = copy.expires else { return true }
      return copy.purchased <= date && date < expires
    }
  }

  struct RenewalState {
    var since: Timestamp
    var note: RenewalNote
    /// The sale that grace belongs to.
    var graceOf: String?
  }

  var sales: [Sale] = []
  var renewals: [String: [RenewalState]] = [:]
  /// How long a non-renewing subscription lasts.
  static let term = TimeSpan.days(90)
}

extension SimulatedApple {
  func copy(_ sale: Sale, asOf date: Timestamp, signed: Timestamp) -> Copy {
    sale.copy.with {
      $0.revoked = sale.revocation(asOf: date)
      $0.isUpgraded = sale.isUpgraded(asOf: date)
      $0.signed = signed
    }
  }

  func renewal(_ original: String, asOf date: Timestamp, signed: Timestamp) -> RenewalNote? {
    guard var note = state(original, asOf: date)?.note else { return nil }
    note.signed = signed
    return note
  }

  func state(_ original: String, asOf date: Timestamp) -> RenewalState? {
    renewals[original]?.last { $0.since <= date }
  }

  /// The sales of a chain that existed by `date`, in the order they were made.
  func chain(_ original: String, asOf date: Timestamp) -> [Sale] {
    sales.filter { $0.copy.original == original && $0.made <= date }
  }

  /// The transaction that Apple's statuses show: the latest one begun, else the first.
  func latest(_ original: String, asOf date: Timestamp) -> Sale? {
    let chain = chain(original, asOf: date)
    let begun = chain.filter { $0.copy.purchased <= date }
    return begun.last { $0.isLive(at: date) } ?? begun.last { !$0.isUpgraded(asOf: date) }
      ?? chain.first
  }

  func status(_ original: String, asOf date: Timestamp) -> Int32 {
    if chain(original, asOf: date).contains(where: { $0.isLive(at: date) }) { return 1 }
    if isInGrace(original, at: date) { return 4 }
    if latest(original, asOf: date)?.revocation(asOf: date) != nil { return 5 }
    return state(original, asOf: date)?.note.isInRetry == true ? 3 : 2
  }

  func isInGrace(_ original: String, at date: Timestamp) -> Bool {
    guard let state = state(original, asOf: date), let until = state.note.graceUntil,
      date < until, let sale = sales.first(where: { $0.copy.id == state.graceOf })
    else { return false }
    return sale.revocation(asOf: date) == nil
  }

  /// Whether the customer may use what this chain sells, in truth.
  func isEntitled(_ original: String, at date: Timestamp) -> Bool {
    let sales = chain(original, asOf: date)
    switch sales.first?.copy.kind {
    case .consumable, nil: return false
    case .season:
      return sales.contains {
        $0.isLive(at: date) && date < $0.copy.purchased.adding(Self.term)
          && $0.copy.purchased <= date
      }
    case .lifetime: return sales.contains { $0.isLive(at: date) }
    case .subscription, .unheardOf:
      return sales.contains { $0.isLive(at: date) } || isInGrace(original, at: date)
    }
  }
}
