import AppStoreModel

// State 4 and rules 1 and 7.
extension NaiveLedger {
  struct Revocation: Hashable {
    var id: String
    var date: Timestamp
    var firstShown: Timestamp
    var lastShownByAPI: Timestamp?
    var refundSeen: Bool
    var revokeSeen: Bool
    var newest: Copy
  }

  func revocations(of id: String) -> [Revocation] {
    let showing = copies(of: id).filter { $0.revoked != nil }
    let dates = Set(showing.compactMap { $0.revoked?.date }).sorted()
    return dates.compactMap { date in
      let copies = showing.filter { $0.revoked?.date == date }
      guard let newest = newest(copies) else { return nil }
      let byAPI = apiCopies(of: id).filter { $0.revoked?.date == date }
      let telling = notices.filter { $0.copy?.id == id && $0.copy?.revoked?.date == date }
      return Revocation(
        id: id, date: date, firstShown: copies.map(\.signed).min() ?? date,
        lastShownByAPI: byAPI.map(\.signed).max(),
        refundSeen: telling.contains { $0.type == "REFUND" },
        revokeSeen: telling.contains { $0.type == "REVOKE" }, newest: newest)
    }
  }

  var revocations: [Revocation] { transactionIds.flatMap(revocations) }

  /// The earliest outer dates of the REFUND_REVERSED of a transaction, one for each UUID.
  func reversalNotices(of id: String) -> [Timestamp] {
    earliestDates(notices.filter { $0.type == "REFUND_REVERSED" && $0.copy?.id == id })
  }

  private func earliestDates(_ notices: [Notice]) -> [Timestamp] {
    Dictionary(grouping: notices, by: \.uuid).values.compactMap { $0.map(\.date).min() }
  }

  /// When the revocation was reversed, by what we know; `nil` while it stands.
  func reversalDate(of revocation: Revocation) -> Timestamp? {
    let id = revocation.id
    let told = reversalNotices(of: id).filter { date in
      guard date >= revocation.date else { return false }
      guard let shown = revocation.lastShownByAPI else { return true }
      return shown < date.adding(Self.lag)
    }
    let clean = newestCleanFromAPI(id).map(\.signed).flatMap { date in
      date >= revocation.firstShown.adding(Self.lag) ? date : nil
    }
    // A later revocation proves that this one had been reversed by then.
    let next = revocations(of: id).map(\.date).filter { $0 > revocation.date }
    return (told + [clean].compactMap { $0 } + next).min()
  }

  /// The one that can stand and does.
  func standing(_ id: String) -> Revocation? {
    guard let last = revocations(of: id).last, reversalDate(of: last) == nil else { return nil }
    return last
  }

  /// The date of a REFUND or REVOKE without a date that still denies its transaction.
  func undatedRevocation(_ id: String) -> Timestamp? {
    let undated = notices.filter {
      ($0.type == "REFUND" || $0.type == "REVOKE") && $0.copy?.id == id && $0.copy?.revoked == nil
    }
    return earliestDates(undated).filter { date in
      let isReversed = reversalNotices(of: id).contains { $0 >= date }
      let isReadLater = apiCopies(of: id).contains { $0.signed >= date.adding(Self.lag) }
      // A date that had been taken back by then belongs to an earlier refund.
      let isDated = revocations(of: id).contains {
        $0.date <= date && (reversalDate(of: $0) ?? .distantFuture) > date
      }
      return !isReversed && !isReadLater && !isDated
    }.min()
  }

  /// The date from which the transaction is revoked at `now`; `nil` if it is not.
  func revokedSince(_ id: String, at now: Timestamp) -> Timestamp? {
    guard let standing = standing(id) else { return undatedRevocation(id) }
    guard kind(of: standing) == .bundleMove else { return standing.date }
    guard let succession = successions.min(), succession <= now else {
      return undatedRevocation(id)
    }
    return standing.date
  }
}

// Class and money.
extension NaiveLedger {
  enum Kind: String {
    case fullRefund, proratedRefund, familyRevocation, assignmentRevocation, bundleMove,
      unclassified
  }

  func kind(of revocation: Revocation) -> Kind {
    let copy = revocation.newest
    switch copy.revoked?.type {
    case "REFUND_FULL": return .fullRefund
    case "REFUND_PRORATED": return .proratedRefund
    case "FAMILY_REVOKE": return .familyRevocation
    case "ASSIGNMENT_REVOKE": return .assignmentRevocation
    default: break
    }
    if copy.owner == .family { return .familyRevocation }
    if copy.owner == .assigned { return .assignmentRevocation }
    if copy.revoked?.reason == 2 { return .bundleMove }
    if revocation.revokeSeen && !revocation.refundSeen { return .unclassified }
    if revocation.refundSeen || [0, 1].contains(copy.revoked?.reason) { return .fullRefund }
    return .unclassified
  }

  /// Milliunits that went back for the transaction and stayed back; `nil` without a price.
  func netRefund(_ id: String) -> Int64? {
    guard let standing = standing(id), standing.newest.owner == .purchased,
      standing.refundSeen || !standing.revokeSeen,
      [.fullRefund, .proratedRefund].contains(kind(of: standing))
    else { return 0 }
    if let amount = standing.newest.advancedCommerceRefund { return amount }
    guard let price = standing.newest.price else { return nil }
    let product = price * Int64(standing.newest.revoked?.share ?? 100_000)
    let (units, rest) = product.quotientAndRemainder(dividingBy: 100_000)
    if rest == 50_000 { return units.isMultiple(of: 2) ? units : units + 1 }
    return rest > 50_000 ? units + 1 : units
  }
}
