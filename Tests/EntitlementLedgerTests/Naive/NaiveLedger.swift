import AppStoreModel
import EntitlementLedger

/// The second ledger: it keeps the list of facts of one chain and works everything out anew for
/// each question.
///
/// It is written from the text of the rule alone, as plainly as it can be, so that the real one can
/// be held against it. Equal dates with unequal words are settled by a hash in the real ledger;
/// histories for this one avoid them, except that revoked goes before clean and 5 before others.
struct NaiveLedger {
  static let lag = TimeSpan.minutes(15)
  static let leeway = TimeSpan.minutes(60)

  let original: String
  var copies: [Seen] = []
  var renewals: [RenewalNote] = []
  var notices: [Notice] = []
  var reports: [Report] = []
  /// When transactions were bought that name this chain as their previous one.
  var successions: [Timestamp] = []

  /// A copy and whether Apple's API gave it.
  struct Seen: Hashable {
    var copy: Copy
    var isFromAPI: Bool
  }

  init(_ statements: [Statement], chain original: String) {
    self.original = original
    for statement in statements { note(statement) }
  }

  private mutating func note(_ statement: Statement) {
    switch statement {
    case .notice(let notice, _):
      note(notice.copy, isFromAPI: false)
      note(notice.renewal)
      if notice.copy?.original == original { notices.append(notice) }
    case .transaction(let copy, let channel):
      note(copy, isFromAPI: channel == .poll || channel == .import)
    case .renewal(let renewal, _):
      note(renewal)
    case .report(let report):
      note(report.copy, isFromAPI: report.source == .api)
      note(report.renewal)
      if report.copy.original == original { reports.append(report) }
    }
  }

  private mutating func note(_ copy: Copy?, isFromAPI: Bool) {
    guard let copy else { return }
    if copy.original == original { copies.append(Seen(copy: copy, isFromAPI: isFromAPI)) }
    if copy.previousOriginal == original { successions.append(copy.purchased) }
  }

  private mutating func note(_ renewal: RenewalNote?) {
    if let renewal, renewal.original == original { renewals.append(renewal) }
  }
}

// State 1 and 2.
extension NaiveLedger {
  var transactionIds: [String] { Set(copies.map(\.copy.id)).sorted() }

  func copies(of id: String) -> [Copy] { copies.map(\.copy).filter { $0.id == id } }

  func apiCopies(of id: String) -> [Copy] {
    copies.filter { $0.isFromAPI && $0.copy.id == id }.map(\.copy)
  }

  func newest(_ copies: [Copy]) -> Copy? {
    copies.max { left, right in
      if left.signed != right.signed { return left.signed < right.signed }
      return left.revoked == nil && right.revoked != nil
    }
  }

  func firstSigned(_ id: String) -> Timestamp {
    copies(of: id).map(\.signed).min() ?? .distantFuture
  }

  func newestCleanFromAPI(_ id: String) -> Copy? {
    newest(apiCopies(of: id).filter { $0.revoked == nil })
  }

  var newestRenewal: RenewalNote? { renewals.max { $0.signed < $1.signed } }
}

// State 3.
extension NaiveLedger {
  struct StatusWord: Hashable {
    var status: Int32
    var clock: Timestamp
    var id: String
    var revocationDate: Timestamp?
    var renewal: RenewalNote?
    var isKits = false
  }

  var statusWords: [StatusWord] {
    let fromNotices = Dictionary(grouping: notices, by: \.uuid).values.compactMap(word)
    let fromReports = reports.filter { (1...5).contains($0.status) }.map(word)
    let all = fromNotices + fromReports
    let appleSpoke = all.contains { !$0.isKits }
    return all.filter { !$0.isKits || $0.status == 5 || !appleSpoke }
  }

  private func word(_ sameUUID: [Notice]) -> StatusWord? {
    let first = sameUUID.min { left, right in
      if left.date != right.date { return left.date < right.date }
      let isRevoked = (left.copy?.revoked != nil, right.copy?.revoked != nil)
      return isRevoked.0 == isRevoked.1 ? left.status == 5 && right.status != 5 : isRevoked.0
    }
    guard let first, let copy = first.copy,
      let status = first.status, (1...5).contains(status)
    else { return nil }
    return StatusWord(
      status: status, clock: first.date, id: copy.id, revocationDate: copy.revoked?.date,
      renewal: first.renewal)
  }

  private func word(_ report: Report) -> StatusWord {
    let early = report.status == 5 ? TimeSpan.zero : Self.lag
    return StatusWord(
      status: report.status, clock: report.date.subtracting(early), id: report.copy.id,
      revocationDate: report.copy.revoked?.date, renewal: report.renewal,
      isKits: report.source == .kit)
  }

  var isNewestStatusUnknown: Bool {
    let unknown = notices.filter { !(1...5).contains($0.status ?? 1) }.map(\.date).max()
    guard let unknown else { return false }
    return unknown > statusInForce?.clock ?? .distantPast
  }

  var statusInForce: StatusWord? {
    statusWords.max { left, right in
      if left.clock != right.clock { return left.clock < right.clock }
      if (left.revocationDate != nil) != (right.revocationDate != nil) {
        return left.revocationDate == nil
      }
      return left.status != 5 && right.status == 5
    }
  }
}
