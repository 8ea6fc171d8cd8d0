public import AppStoreModel

/// Everything that was asked and decided about refunding one transaction.
///
/// Requests and verdicts are sets that only grow, so the order in which they become known does not
/// matter.
public struct RefundCase: Hashable, Sendable {
  /// How long after a request Apple takes an answer.
  ///
  /// Source: Apple's page on responding to consumption requests.
  public static func window(in environment: AppStoreEnvironment) -> TimeSpan {
    environment == .production ? .hours(12) : .minutes(5)
  }

  public let scope: Scope
  public let transactionId: String
  /// Oldest first.
  public let requests: [ConsumptionRequest]
  /// Oldest first.
  public let verdicts: [RefundVerdict]

  public init(
    scope: Scope, transactionId: String, requests: [ConsumptionRequest],
    verdicts: [RefundVerdict] = []
  ) {
    self.scope = scope
    self.transactionId = transactionId
    self.requests = requests.sorted {
      ($0.askedAt, $0.notificationUUID) < ($1.askedAt, $1.notificationUUID)
    }
    self.verdicts = verdicts.sorted { ($0.at, $0.source) < ($1.at, $1.source) }
  }

  /// The request that is to be answered; earlier ones are not answered any more.
  public var newest: ConsumptionRequest? { requests.last }

  /// Until when Apple takes an answer, by the newest request.
  public var deadline: Timestamp? {
    newest.map { $0.askedAt.adding(RefundCase.window(in: scope.environment)) }
  }

  /// What Apple decided, unless it has asked again since.
  public var verdict: RefundVerdict? {
    guard let last = verdicts.last, let newest, last.at >= newest.askedAt else { return nil }
    return last
  }
}

extension RefundCase {
  /// How a case stands at a moment.
  public enum Standing: Hashable, Sendable {
    case waiting
    case withheld(Withholding)
    case answered
    case refused
    case missed
    case closed(RefundVerdict.Kind)
  }

  /// How the case stands at `now`.
  ///
  /// A deadline that has passed counts at once, before anything has been written about it.
  public func standing(at now: Timestamp) -> Standing {
    if let verdict { return .closed(verdict.kind) }
    switch newest?.progress {
    case .answered: return .answered
    case .refused: return .refused
    case .missed, .moot, nil: return .missed
    case .withheld(let reason): return .withheld(reason)
    case .waiting: return isOver(at: now) ? .missed : .waiting
    }
  }

  /// Whether Apple takes no answer any more.
  public func isOver(at now: Timestamp) -> Bool {
    deadline.map { $0 <= now } ?? true
  }

  /// What becomes of a request by what else is known; `nil` when it stays as it is.
  public func settled(
    _ request: ConsumptionRequest, at now: Timestamp
  ) -> ConsumptionRequest.Progress? {
    guard request.isOpen else { return nil }
    if verdict != nil || request.notificationUUID != newest?.notificationUUID { return .moot }
    guard isOver(at: now), request.progress == .waiting else { return nil }
    return .missed
  }
}

extension RefundCase.Standing {
  /// As programs read it.
  public var word: String {
    switch self {
    case .waiting: "waiting"
    case .withheld: "withheld"
    case .answered: "answered"
    case .refused: "refused"
    case .missed: "missed"
    case .closed: "closed"
    }
  }
}
