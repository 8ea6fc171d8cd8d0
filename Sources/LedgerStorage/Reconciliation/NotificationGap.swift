package import AppStoreModel
package import EntitlementLedger

/// One try of Apple's to send a notification.
package struct SendingAttempt: Hashable, Sendable {
  package let date: Timestamp?
  /// Shape: `SUCCESS`, `TIMED_OUT` and others of Apple's `sendAttemptResult`.
  package let result: String?

  package init(date: Timestamp?, result: String?) {
    self.date = date
    self.result = result
  }
}

/// Why a notification that Apple sent was never stored.
package enum GapReason: String, Hashable, Sendable, CaseIterable {
  /// Apple could not reach our address, or got no answer.
  case outage
  /// Something answered, and not with success.
  case refused
  /// It reached us and is, or was, in quarantine.
  case quarantined
  /// Apple tells of no failed attempt, and nothing reached us: another address took it.
  case neverReached
  /// Apple's last attempt was before this ledger existed.
  case beforeInstallation

  /// Reads Apple's attempts.
  ///
  /// - Parameters:
  ///   - attempts: What Apple tells of its sending, in any order.
  ///   - signedDate: When the notification was signed.
  ///   - isQuarantined: Whether the very text is in quarantine.
  ///   - installedAt: When the ledger was made.
  package init(
    attempts: [SendingAttempt], signedDate: Timestamp?, isQuarantined: Bool, installedAt: Timestamp
  ) {
    if isQuarantined {
      self = .quarantined
      return
    }
    let last = attempts.compactMap(\.date).max() ?? signedDate
    if let last, last < installedAt {
      self = .beforeInstallation
      return
    }
    let sorted = attempts.sorted { ($0.date ?? .distantPast) < ($1.date ?? .distantPast) }
    switch sorted.last?.result {
    case nil, "SUCCESS": self = .neverReached
    case "UNSUCCESSFUL_HTTP_RESPONSE_CODE", "INVALID_RESPONSE", "UNSUPPORTED_CHARSET":
      self = .refused
    default: self = .outage
    }
  }
}

/// A notification that Apple sent and that had not been stored when its history told of it.
package struct NotificationGap: Hashable, Sendable {
  package let position: Int64
  package let scope: Scope
  package let notificationUUID: String
  package let type: String?
  package let subtype: String?
  package let signedDate: Timestamp?
  package let originalTransactionId: String?
  package let transactionId: String?
  package let reason: GapReason
  /// The rule that it broke, where it could not be taken; safe to log.
  package let detail: String?
  /// Names the stored fact; `nil` where it could not be taken.
  package let factID: Int64?
  package let foundAt: Timestamp
  /// When Apple's sending reached us after all.
  package let arrivedAt: Timestamp?
  package let attempts: [SendingAttempt]
}

/// One entry of Apple's notification history, verified.
package struct HistoryItem: Sendable {
  package let notificationUUID: String
  package let type: String?
  package let subtype: String?
  package let signedDate: Timestamp?
  package let originalTransactionId: String?
  package let transactionId: String?
  /// Names the very text, as quarantine does: SHA-256.
  package let textSHA256: [UInt8]
  package let attempts: [SendingAttempt]
  /// What the ledger takes; `nil` where it cannot be verified.
  package let delivery: Delivery?
  /// Why it cannot be verified; it goes into quarantine.
  package let refusal: QuarantinedItem?

  package init(
    notificationUUID: String, type: String?, subtype: String?, signedDate: Timestamp?,
    originalTransactionId: String?, transactionId: String?, textSHA256: [UInt8],
    attempts: [SendingAttempt], delivery: Delivery?, refusal: QuarantinedItem?
  ) {
    self.notificationUUID = notificationUUID
    self.type = type
    self.subtype = subtype
    self.signedDate = signedDate
    self.originalTransactionId = originalTransactionId
    self.transactionId = transactionId
    self.textSHA256 = textSHA256
    self.attempts = attempts
    self.delivery = delivery
    self.refusal = refusal
  }
}
