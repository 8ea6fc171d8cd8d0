package import AppStoreModel

/// Which of Apple's rate limits a question counts against.
package enum QuestionEndpoint: Hashable, Sendable, CaseIterable {
  case notificationHistory, refundHistory, transactionHistory, transactionInfo, statuses

  /// How many calls a second Apple allows an app; a tenth of it in the sandbox.
  ///
  /// Source: Identifying rate limits, App Store Server API.
  var callsPerSecond: Int64 {
    self == .refundHistory ? 10 : 50
  }
}

/// How much may still be asked: a pure count that the moments of asking are given to.
///
/// Apple states its limits by the second and holds to them by the hour, so a minute's worth may be
/// asked at once.
package struct QuestionBudget: Hashable, Sendable {
  private static let burst = TimeSpan.minutes(1)

  private let percent: Int64
  private let isSandbox: Bool
  /// By endpoint, when everything that was asked would have been asked at the allowed pace.
  private var paidUntil: [QuestionEndpoint: Timestamp] = [:]
  private var pausedUntil = Timestamp.distantPast
  private var endpointPausedUntil: [QuestionEndpoint: Timestamp] = [:]

  package init(percent: Int64, environment: AppStoreEnvironment) {
    self.percent = percent
    isSandbox = environment != .production
  }

  /// The earliest moment at which an endpoint may be asked.
  package func ready(_ endpoint: QuestionEndpoint) -> Timestamp {
    let paid = paidUntil[endpoint] ?? .distantPast
    let paused = endpointPausedUntil[endpoint] ?? .distantPast
    return max(pausedUntil, paused, paid.subtracting(Self.burst))
  }

  /// Counts calls.
  package mutating func spend(_ calls: Int, on endpoint: QuestionEndpoint, at now: Timestamp) {
    let start = max(paidUntil[endpoint] ?? .distantPast, now)
    paidUntil[endpoint] = start.adding(time(for: Int64(calls), on: endpoint))
  }

  /// Asks nothing before a moment, because Apple said so or does not answer.
  package mutating func pause(until moment: Timestamp) {
    pausedUntil = max(pausedUntil, moment)
  }

  /// Leaves one endpoint alone until a moment, because Apple limits it.
  package mutating func pause(_ endpoint: QuestionEndpoint, until moment: Timestamp) {
    endpointPausedUntil[endpoint] = max(endpointPausedUntil[endpoint] ?? .distantPast, moment)
  }

  /// How long a number of calls takes at the allowed pace.
  package func time(for calls: Int64, on endpoint: QuestionEndpoint) -> TimeSpan {
    let hundredths = endpoint.callsPerSecond * percent / (isSandbox ? 10 : 1)
    let (whole, rest) = (calls * 100_000).quotientAndRemainder(dividingBy: max(hundredths, 1))
    return TimeSpan(milliseconds: whole + (rest == 0 ? 0 : 1))
  }
}
