import AppStoreModel

/// What a call of the notification history asks for.
struct NotificationFilter {
  private let start: Timestamp
  private let end: Timestamp
  private let type: NotificationType?
  private let subtype: NotificationSubtype?
  /// The customer's `appTransactionId`; empty for a transaction that nobody has.
  private let customer: String?
  private let onlyFailures: Bool

  init(_ call: APICall, _ shelf: Shelf) throws(APIError) {
    let body = try call.object()
    guard let start = body.member("startDate")?.integer else { throw .invalidStartDate }
    guard let end = body.member("endDate")?.integer else { throw .invalidEndDate }
    self.start = Timestamp(millisecondsSince1970: start)
    self.end = min(Timestamp(millisecondsSince1970: end), call.moment)
    guard self.start < self.end else { throw .startDateAfterEndDate }
    let kept = TimeSpan.days(call.environment == .sandbox ? 30 : 180)
    guard self.start >= call.moment.subtracting(kept) else { throw .startDateTooFarInPast }
    type = try Self.word(body.member("notificationType"))
    subtype = try Self.word(body.member("notificationSubtype"))
    if subtype != nil, type == nil { throw .invalidNotificationType }
    if let id = body.member("transactionId") {
      guard type == nil else { throw .multipleFilters }
      guard let id = id.string, SimulatedServer.isNumber(id) else { throw .invalidTransactionId }
      customer = shelf.store.customer(of: id)?.appTransactionId ?? ""
    } else {
      customer = nil
    }
    onlyFailures = body.member("onlyFailures") == .bool(true)
  }

  /// A word that Apple knows, absent when none is stated.
  private static func word<Word: KnownWord>(_ value: JSONValue?) throws(APIError) -> Word? {
    guard let value else { return nil }
    guard let text = value.string else { throw .invalidNotificationType }
    let word = Word(rawValue: text)
    guard word.isKnown else { throw .invalidNotificationType }
    return word
  }

  func takes(_ outgoing: OutgoingNotification) -> Bool {
    let payload = outgoing.notification.payload
    guard let sent = outgoing.attempts.first?.date, start <= sent, sent <= end else { return false }
    if let type, payload.notificationType != type { return false }
    if let subtype, payload.subtype != subtype { return false }
    if let customer, outgoing.notification.transaction?.appTransactionId != customer {
      return false
    }
    return !onlyFailures || !outgoing.hasArrived
  }
}

/// A word of a list that Apple may add to.
private protocol KnownWord {
  init(rawValue: String)
  var isKnown: Bool { get }
}

extension NotificationType: KnownWord {
  fileprivate var isKnown: Bool { if case .unknown = self { false } else { true } }
}

extension NotificationSubtype: KnownWord {
  fileprivate var isKnown: Bool { if case .unknown = self { false } else { true } }
}
