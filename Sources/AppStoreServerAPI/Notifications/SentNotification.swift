public import AppStoreModel

/// A notification, and how the App Store fared with sending it.
///
/// Source: Apple's `NotificationHistoryResponseItem` and `CheckTestNotificationResponse`.
public struct SentNotification: Hashable, Sendable {
  public var signedPayload: UnverifiedJWS
  public var sendAttempts: [SendAttempt]

  public init(_ signedPayload: UnverifiedJWS, _ sendAttempts: [SendAttempt]) {
    self.signedPayload = signedPayload
    self.sendAttempts = sendAttempts
  }
}

/// One try to send a notification.
///
/// Source: Apple's `SendAttemptItem`.
public struct SendAttempt: Hashable, Sendable {
  public var attemptDate: Timestamp?
  public var result: SendAttemptResult

  public init(_ attemptDate: Timestamp?, _ result: SendAttemptResult) {
    self.attemptDate = attemptDate
    self.result = result
  }
}

/// How a try to send a notification ended, as the App Store saw it.
///
/// Source: Apple's `sendAttemptResult`.
public enum SendAttemptResult: Hashable, Sendable {
  case success
  case timedOut
  case tlsIssue
  case circularRedirect
  case noResponse
  case socketIssue
  case unsupportedCharset
  case invalidResponse
  case prematureClose
  case unsuccessfulHTTPResponseCode
  case other
  /// A value that Apple added after this was written, or an older one, as it was spelt.
  case unknown(String)
}

extension SendAttemptResult: RawRepresentable {
  public init(rawValue: String) {
    switch rawValue {
    case "SUCCESS": self = .success
    case "TIMED_OUT": self = .timedOut
    case "TLS_ISSUE": self = .tlsIssue
    case "CIRCULAR_REDIRECT": self = .circularRedirect
    case "NO_RESPONSE": self = .noResponse
    case "SOCKET_ISSUE": self = .socketIssue
    case "UNSUPPORTED_CHARSET": self = .unsupportedCharset
    case "INVALID_RESPONSE": self = .invalidResponse
    case "PREMATURE_CLOSE": self = .prematureClose
    case "UNSUCCESSFUL_HTTP_RESPONSE_CODE": self = .unsuccessfulHTTPResponseCode
    case "OTHER": self = .other
    default: self = .unknown(rawValue)
    }
  }

  public var rawValue: String {
    switch self {
    case .success: "SUCCESS"
    case .timedOut: "TIMED_OUT"
    case .tlsIssue: "TLS_ISSUE"
    case .circularRedirect: "CIRCULAR_REDIRECT"
    case .noResponse: "NO_RESPONSE"
    case .socketIssue: "SOCKET_ISSUE"
    case .unsupportedCharset: "UNSUPPORTED_CHARSET"
    case .invalidResponse: "INVALID_RESPONSE"
    case .prematureClose: "PREMATURE_CLOSE"
    case .unsuccessfulHTTPResponseCode: "UNSUCCESSFUL_HTTP_RESPONSE_CODE"
    case .other: "OTHER"
    case .unknown(let word): word
    }
  }
}
