import AppStoreModel
import EntitlementLedger

/// Why something is written, and when.
struct Cause {
  /// `nil` for what time alone brought.
  let factID: Int64?
  let now: Timestamp
  /// What the fact is called in events.
  let origin: Origin?

  init(factID: Int64?, now: Timestamp, origin: Origin? = nil) {
    self.factID = factID
    self.now = now
    self.origin = origin
  }

  init(_ fact: OwnFact, id: Int64) {
    self.init(factID: id, now: fact.recordedAt, origin: Origin(fact))
  }

  init(_ fact: LedgerFact, id: Int64, channel: Channel, receivedAt: Timestamp) {
    self.init(factID: id, now: receivedAt, origin: Origin(fact, channel))
  }
}

extension Cause {
  /// A fact by the names that others know it by.
  struct Origin {
    let kind: String
    let channel: String
    private(set) var statement: String?
    private(set) var notificationUUID: String?
    private(set) var notificationType: String?
    private(set) var subtype: String?
    private(set) var transactionId: String?
    private(set) var originalTransactionId: String?
    let signedAt: Timestamp?

    init(_ fact: OwnFact) {
      kind = "own"
      channel = "own"
      statement = fact.statement.word
      signedAt = nil
    }

    init(_ fact: LedgerFact, _ channel: Channel) {
      self.channel = channel.rawValue
      kind = fact.word
      signedAt = fact.date
      if case .notification(let notification) = fact {
        notificationUUID = notification.notificationUUID
        notificationType = notification.type?.rawValue
        subtype = notification.subtype?.rawValue
      }
      transactionId = fact.transaction?.transactionId
      originalTransactionId =
        fact.transaction?.originalTransactionId ?? fact.renewal?.originalTransactionId
    }
  }

  /// The facts that an event names as its causes: a JSON array, empty for what time alone brought.
  var json: [UInt8] {
    var writer = JSONWriter()
    writer.array { writer in
      guard let factID else { return }
      writer.object { writer in
        writer.member("factId", factID)
        if let origin { writer.members(of: origin) }
        writer.member("receivedAtMs", now.millisecondsSince1970)
      }
    }
    return writer.bytes
  }
}

extension JSONWriter {
  fileprivate mutating func members(of origin: Cause.Origin) {
    member("kind", origin.kind)
    member("channel", origin.channel)
    member("statement", origin.statement)
    member("notificationUUID", origin.notificationUUID)
    member("notificationType", origin.notificationType)
    member("subtype", origin.subtype)
    member("transactionId", origin.transactionId)
    member("originalTransactionId", origin.originalTransactionId)
    member("signedAtMs", origin.signedAt?.millisecondsSince1970)
  }
}

extension LedgerFact {
  /// The kind that a stored fact of this sort has.
  fileprivate var word: String {
    switch self {
    case .notification: "notification"
    case .transaction: "transaction"
    case .renewal: "renewalInfo"
    case .status: "reportedStatus"
    case .own: "own"
    }
  }
}
