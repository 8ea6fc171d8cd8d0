package import AppStoreModel

/// One try to deliver a notification, as Apple's history tells it.
package struct SendAttempt: Hashable, Sendable {
  package let date: Timestamp
  package let result: Result

  package init(date: Timestamp, result: Result) {
    self.date = date
    self.result = result
  }

  /// Source: Apple's `sendAttemptResult`.
  package enum Result: String, Hashable, Sendable, CaseIterable {
    case success = "SUCCESS"
    case timedOut = "TIMED_OUT"
    case tlsIssue = "TLS_ISSUE"
    case circularRedirect = "CIRCULAR_REDIRECT"
    case noResponse = "NO_RESPONSE"
    case socketIssue = "SOCKET_ISSUE"
    case unsupportedCharset = "UNSUPPORTED_CHARSET"
    case invalidResponse = "INVALID_RESPONSE"
    case prematureClose = "PREMATURE_CLOSE"
    case unsuccessfulStatus = "UNSUCCESSFUL_HTTP_RESPONSE_CODE"
    case other = "OTHER"
  }
}

extension SendAttempt.Result {
  /// What an answer's status comes to: 200 to 206 is a receipt.
  package init(status: Int) {
    self = NotificationPoster.isAccepted(status) ? .success : .unsuccessfulStatus
  }
}
