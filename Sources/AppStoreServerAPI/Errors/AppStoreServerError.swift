public import AppStoreModel

/// Why the App Store gave no usable answer.
///
/// None of these means that a purchase was refunded or revoked.
public enum AppStoreServerError: Error, Hashable, Sendable {
  /// The task that asked was cancelled.
  case cancelled
  /// The question was not asked, because the App Store would refuse it.
  case badRequest(RequestFault)
  /// More questions wait for this endpoint than may.
  case queueFull
  /// The app's own budget for this endpoint is used up: there is no turn before that moment.
  case budgetSpent(until: Timestamp)
  /// The App Store asks to pause until that moment.
  case rateLimited(until: Timestamp)
  /// The token was refused, and a fresh one with a corrected clock would be too.
  case unauthorized(Unauthorized)
  /// Neither production nor the sandbox knows the transaction.
  case unknownTransaction
  /// The App Store says what is wrong.
  case refused(AppleRefusal)
  /// An answer without Apple's error object.
  case unexpectedStatus(Int)
  /// An answer of success that is not what this endpoint answers: the member that is wrong, or what.
  case unreadableAnswer(String)
  /// No whole answer.
  case unreachable(TransportFailure)
  /// What cannot be undone was sent, and nobody knows whether it happened.
  case outcomeUnknown(TransportFailure)
  /// There should be another page, and nothing says how to ask for it.
  case pagingStalled
}

extension AppStoreServerError {
  /// Whether the same question may get an answer later.
  public var isTransient: Bool {
    switch self {
    case .queueFull, .budgetSpent, .rateLimited, .unreachable: true
    case .refused(let refusal): refusal.code.isTransient
    case .unexpectedStatus(let status): status >= 500 || status == 408 || status == 429
    // A page of a proxy or a maintenance screen instead of the answer.
    case .unreadableAnswer: true
    case .cancelled, .badRequest, .unauthorized, .unknownTransaction, .outcomeUnknown,
      .pagingStalled:
      false
    }
  }

  /// The code that Apple gave, if it gave one.
  public var code: AppleErrorCode? {
    if case .refused(let refusal) = self { refusal.code } else { nil }
  }

  /// What the operator should do next.
  public var advice: String {
    switch self {
    case .cancelled: "Ask again if the answer is still wanted."
    case .badRequest(let fault): fault.advice
    case .queueFull: "Ask less at once, or give it more time."
    case .budgetSpent: "Wait; a full cycle needs more time than the limit of this endpoint gives."
    case .rateLimited: AppleErrorCode.rateLimitExceeded.advice
    case .unauthorized(let detail): detail.advice
    case .unknownTransaction: AppleErrorCode.transactionIdNotFound.advice
    case .refused(let refusal): refusal.code.advice
    case .unexpectedStatus(let status) where (300..<400).contains(status):
      "Check the address of the App Store: redirects are not followed."
    case .unexpectedStatus, .unreadableAnswer:
      "Ask again later; if it stays, look for a proxy between this machine and Apple."
    case .unreachable(let failure): failure.advice
    case .outcomeUnknown: "Look whether it happened before asking again: it cannot be undone."
    case .pagingStalled: "Start the walk again at its first page."
    }
  }
}

extension AppStoreServerError: CustomStringConvertible {
  /// Safe to log: no token, no key, nothing of a customer.
  public var description: String {
    switch self {
    case .cancelled: "cancelled"
    case .badRequest(let fault): fault.description
    case .queueFull: "too many questions wait for this endpoint"
    case .budgetSpent(let until): "the rate budget is used up until \(until.rfc3339)"
    case .rateLimited(let until): "the App Store asks to pause until \(until.rfc3339)"
    case .unauthorized(let detail): detail.description
    case .unknownTransaction: "neither production nor the sandbox knows the transaction"
    case .refused(let refusal): refusal.description
    case .unexpectedStatus(let status): "HTTP \(status) without an error code of Apple's"
    case .unreadableAnswer(let what): "the answer cannot be read: \(what)"
    case .unreachable(let failure): failure.description
    case .outcomeUnknown(let failure): "it may or may not have happened: \(failure)"
    case .pagingStalled: "the App Store promises another page and does not say how to get it"
    }
  }
}
