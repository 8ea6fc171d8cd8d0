import AppStoreModel
import EntitlementLedger

// The words that histories are written in. Each makes one fact.

/// A notification, its copy signed with it.
///
/// `until` is the renewal date, else the period's end.
func told(
  _ type: String, _ copy: Copy, _ date: Timestamp, st status: Int32? = nil,
  until: Timestamp? = nil, grace: Timestamp? = nil, uuid: String? = nil, outer: Bool = true,
  on autoRenews: Bool? = nil
) -> Statement {
  var renewal: RenewalNote?
  if copy.kind == .subscription {
    renewal = RenewalNote(
      original: copy.original, signed: date, autoRenews: autoRenews ?? (status == 1),
      isInRetry: status == 3 || status == 4 ? true : nil, graceUntil: grace,
      renewalDate: until ?? copy.expires)
  }
  let name = uuid ?? "\(type) \(copy.id) \(date.short)"
  let notice = Notice(
    type: type, uuid: name, signed: outer ? date : nil, status: status, copy: copy.signed(date),
    renewal: renewal)
  return .notice(notice, .notification)
}

/// A signed copy that the customer's device handed in.
func device(_ copy: Copy, _ date: Timestamp) -> Statement {
  .transaction(copy.signed(date), .device)
}

/// Apple's Get Transaction Info.
func info(_ copy: Copy, _ date: Timestamp) -> Statement {
  .transaction(copy.signed(date), .poll)
}

/// Apple's Get All Subscription Statuses.
func statuses(
  _ status: Int32, _ copy: Copy, _ date: Timestamp, until: Timestamp? = nil
) -> Statement {
  report(.api, status, copy, date, until)
}

/// What StoreKit says on the device.
func kit(_ status: Int32, _ copy: Copy, _ date: Timestamp, until: Timestamp? = nil) -> Statement {
  report(.kit, status, copy, date, until)
}

private func report(
  _ source: Report.Source, _ status: Int32, _ copy: Copy, _ date: Timestamp, _ until: Timestamp?
) -> Statement {
  let renewal = RenewalNote(
    original: copy.original, signed: date, autoRenews: status == 1,
    renewalDate: until ?? copy.expires)
  return .report(
    Report(source: source, status: status, copy: copy.signed(date), renewal: renewal))
}

/// One history and the answer it must give in every order.
struct History: Sendable, CustomStringConvertible {
  enum Answer: Sendable { case grant, deny }

  let number: String
  let title: String
  let want: Answer
  let now: Timestamp
  /// How many refunds must be counted, where that is part of the answer.
  let debits: Int?
  /// What they add up to, in milliunits, where that is part of the answer.
  let total: Int64?
  let facts: [Statement]

  init(
    _ number: String, _ title: String, _ want: Answer, at now: Timestamp, debits: Int? = nil,
    total: Int64? = nil, _ facts: Statement...
  ) {
    self.number = number
    self.title = title
    self.want = want
    self.now = now
    self.debits = debits
    self.total = total
    self.facts = facts
  }

  var description: String { "\(number) \(title)" }
}
