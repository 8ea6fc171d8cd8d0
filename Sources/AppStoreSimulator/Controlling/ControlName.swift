import JSON5

/// A control that is called with POST, and the members that its body may have.
struct ControlName {
  let word: String
  let members: Set<String>

  /// - Throws: ``ControlRefusal/unknown(_:)``.
  init(_ word: String) throws {
    guard let members = Self.members[word] else { throw ControlRefusal.unknown(word) }
    self.word = word
    self.members = members
  }

  /// - Throws: ``ControlRefusal/unknownMember(_:meant:)`` for a name that the control would not read.
  func check(_ body: ControlBody) throws {
    guard let name = body.names.first(where: { !members.contains($0) }) else { return }
    throw ControlRefusal.unknownMember(name, meant: name.nearest(in: members.sorted()))
  }

  static func exists(_ word: String) -> Bool { members[word] != nil }

  private static let span: Set = ["days", "hours", "minutes", "seconds", "milliseconds"]

  private static let members: [String: Set<String>] = [
    "customers": ["name", "withToken", "family"],
    "buy": ["product", "customer", "quantity"],
    "renew": ["transactionId"],
    "recover": ["transactionId"],
    "expire": ["transactionId"],
    "fail-payment": ["transactionId", "graceDays"],
    "upgrade": ["transactionId", "product"],
    "change-plan": ["transactionId", "product"],
    "auto-renew": ["transactionId", "on"],
    "refund": ["transactionId", "percentMilliunits", "reason"],
    "reverse": ["transactionId"],
    "request-refund": ["transactionId", "reason"],
    "decide": ["transactionId"],
    "decline": ["transactionId"],
    "share": ["transactionId", "customer"],
    "revoke-family": ["transactionId"],
    "test": [],
    "travel": span,
    "lag": span,
    "skew": span,
    "outage": ["down"],
    "delivery": ["duplicatePerMille", "dropPerMille", "delayPerMille", "delayUpToMs", "resign"],
    "fail": [
      "endpoint", "errorCode", "status", "body", "contentType", "retryAfterMs", "hang", "close",
      "count", "after", "afterwards",
    ],
    "mend": [],
    "limits": ["calls", "windowMs", "endpoint"],
    "release": ["released"],
  ]
}
