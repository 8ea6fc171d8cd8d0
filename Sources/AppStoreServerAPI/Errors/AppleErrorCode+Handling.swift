extension AppleErrorCode {
  /// Whether the same question may get an answer a moment later.
  ///
  /// A test notification may just not have been sent yet. Apple does not list `generalInternal` as
  /// one to repeat; whoever repeats it must know that a repeat does no harm.
  public var isTransient: Bool {
    switch self {
    case .accountNotFoundRetryable, .appNotFoundRetryable, .originalTransactionIdNotFoundRetryable,
      .testNotificationNotFound, .rateLimitExceeded, .generalInternal, .generalInternalRetryable:
      true
    case .unknown(let number): number / 10_000 == 500 || number / 10_000 == 429
    default: false
    }
  }

  /// Whether the id that was asked about is simply not there.
  public var isNotFound: Bool {
    switch self {
    case .accountNotFound, .originalTransactionIdNotFound, .transactionIdNotFound,
      .appTransactionDoesNotExist:
      true
    default: false
    }
  }

  /// What the operator should do next.
  public var advice: String {
    switch self {
    case .accountNotFound, .originalTransactionIdNotFound, .transactionIdNotFound,
      .appTransactionDoesNotExist:
      "Check the id, the app and the environment. This says nothing about a refund."
    case .accountNotFoundRetryable, .appNotFoundRetryable, .originalTransactionIdNotFoundRetryable,
      .generalInternal, .generalInternalRetryable:
      "Ask again later."
    case .testNotificationNotFound: "Wait a few seconds and ask again, or request another test."
    case .rateLimitExceeded: "Wait; other programs may be using up the same app's limit."
    case .appNotFound, .invalidAppIdentifier: "Check the bundle id, and that the key may see it."
    case .serverNotificationUrlNotFound:
      "Set the URL for App Store Server Notifications in App Store Connect."
    case .invalidPaginationToken, .paginationTokenExpired, .invalidRequestRevision:
      "Start the walk again at its first page."
    case .startDateTooFarInPast: "Start within 180 days, in the sandbox within 30."
    case .invalidCustomerConsented: "Send nothing about a customer who has not consented."
    case .familyTransactionNotSupported, .familySharedSubscriptionExtensionIneligible,
      .invalidAssignedTransactionNotSupported, .assignedSubscriptionExtensionIneligible:
      "Ask for the purchaser's transaction instead."
    case .transactionIdIsNotOriginalTransactionId: "Give the originalTransactionId."
    case .subscriptionExtensionIneligible, .subscriptionMaxExtension:
      "Extend only active paid subscriptions, at most twice in 365 days."
    case .unknown: "Look the number up in Apple's documentation; this version does not know it."
    default: "Correct the request."
    }
  }
}
