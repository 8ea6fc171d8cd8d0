public import AppStoreModel

/// One request of Apple's, and how far its answer is.
public struct ConsumptionRequest: Hashable, Sendable {
  /// What has become of the answer.
  public enum Progress: Hashable, Sendable {
    /// It is to be sent; errors that may pass are tried again.
    case waiting
    /// It is not sent for the time being.
    case withheld(Withholding)
    /// Apple took it.
    case answered
    /// Apple refused it for good.
    case refused
    /// The deadline passed before Apple took it.
    case missed
    /// A newer request, or Apple's decision, made it needless.
    case moot
  }

  /// Names the request; a retry of Apple's has the same.
  public let notificationUUID: String
  public let question: ConsumptionQuestion
  /// The notification's outer date, the earliest of its copies.
  public let askedAt: Timestamp
  public let receivedAt: Timestamp
  public var progress: Progress
  /// What was last sent, and what Apple said to it.
  public var attempt: AnswerAttempt?

  public init(
    notificationUUID: String, question: ConsumptionQuestion, askedAt: Timestamp,
    receivedAt: Timestamp, progress: Progress = .waiting, attempt: AnswerAttempt? = nil
  ) {
    self.notificationUUID = notificationUUID
    self.question = question
    self.askedAt = askedAt
    self.receivedAt = receivedAt
    self.progress = progress
    self.attempt = attempt
  }

  /// Whether the answer may still be sent.
  public var isOpen: Bool {
    switch progress {
    case .waiting, .withheld: true
    case .answered, .refused, .missed, .moot: false
    }
  }
}

/// Why a request is not answered.
///
/// A closed list, described in `docs/contracts/api.md`.
public enum Withholding: String, Hashable, Sendable, CaseIterable {
  /// The policy says so, and it is the standing one.
  case policy
  /// Nobody has recorded that the customer agrees, or the consent was withdrawn.
  case noConsent
  /// Apple takes no answer about a family member's copy.
  case familyShared
  /// Apple takes no answer about an assigned seat.
  case assigned
  /// Who owns the copy is said in a word that we do not know.
  case unknownOwnership
  /// The configuration has no key for Apple's API.
  case notConfigured
  /// Neither recorded spend nor the policy tells whether the purchase was delivered.
  case deliveryUnknown
  /// A prorated refund needs to know how much was used, and nothing recorded tells it.
  case shareUnknown
  /// The answer breaks a rule of Apple's, which is named beside it.
  case invalid
}

/// What was sent to Apple about one request, and its answer.
public struct AnswerAttempt: Hashable, Sendable {
  /// How often it was sent.
  public var count: Int
  public var at: Timestamp
  /// The version of the endpoint: 1 or 2.
  public var version: Int
  /// Shape: the JSON that was sent.
  public var body: String
  /// The HTTP status; `nil` when no answer came.
  public var status: Int?
  /// Apple's own code, or the name of the local rule.
  public var errorCode: String?
  public var errorText: String?

  public init(
    count: Int, at: Timestamp, version: Int, body: String, status: Int? = nil,
    errorCode: String? = nil, errorText: String? = nil
  ) {
    self.count = count
    self.at = at
    self.version = version
    self.body = body
    self.status = status
    self.errorCode = errorCode
    self.errorText = errorText
  }
}
