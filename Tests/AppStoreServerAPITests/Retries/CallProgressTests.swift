import AppStoreModel
import AppStoreVerification
import AppStoreSimulator
import Testing

@testable import AppStoreServerAPI

struct CallProgressTests {
  private static let now = TurningClock.start

  private static func step(
    _ endpoint: Endpoint, _ outcome: Result<HTTPAnswer, TransportFailure>, times: Int = 1,
    mayRenewToken: Bool = true
  ) -> NextStep {
    var progress = CallProgress(endpoint, RetryPolicy(), mayRenewToken: mayRenewToken)
    var chance: any RandomNumberGenerator & Sendable = SeededGenerator(seed: 1)
    for _ in 1..<times { _ = progress.next(after: outcome, now: now, using: &chance) }
    return progress.next(after: outcome, now: now, using: &chance)
  }

  private static func isRepeat(_ step: NextStep) -> Bool {
    if case .repeatAfter = step { true } else { false }
  }

  @Test(arguments: [
    (HTTPAnswer.error(4_040_002), true), (.error(4_040_004), true), (.error(4_040_006), true),
    (.error(5_000_000), true), (.error(5_000_001), true), (.error(5_000_042), true),
    (HTTPAnswer(status: 502, body: Array("<html>".utf8)), true), (HTTPAnswer(status: 500), true),
    (HTTPAnswer(status: 408), true), (.error(4_040_010), false), (.error(4_040_001), false),
    (.error(4_000_006), false), (.error(4_000_999), false), (HTTPAnswer(status: 404), false),
    (HTTPAnswer(status: 301), false), (.error(4_040_008), false), (.error(4_030_005), false),
  ])
  func `only passing trouble is asked again`(answer: HTTPAnswer, isAgain: Bool) {
    let step = Self.step(.transactionInfo, .success(answer))
    #expect(Self.isRepeat(step) == isAgain)
    if !isAgain { #expect(step == .fail(answer.refusal)) }
  }

  @Test func `five attempts are enough`() {
    let answer = HTTPAnswer.error(5_000_001)
    #expect(Self.isRepeat(Self.step(.transactionInfo, .success(answer), times: 4)))
    #expect(Self.step(.transactionInfo, .success(answer), times: 5) == .fail(answer.refusal))
  }

  @Test(arguments: [
    (TransportFailure.noConnection("x"), true), (.insecure("x"), true), (.timedOut, false),
    (.broken("x"), false), (.tooLarge, false),
  ])
  func `what cannot be undone is sent again only if it surely never arrived`(
    failure: TransportFailure, isAgain: Bool
  ) {
    let step = Self.step(.extendRenewal, .failure(failure))
    #expect(Self.isRepeat(step) == isAgain)
    if !isAgain { #expect(step == .fail(.outcomeUnknown(failure))) }
    #expect(Self.isRepeat(Self.step(.transactionInfo, .failure(failure))))
  }

  @Test(arguments: [
    (HTTPAnswer.error(5_000_001), true), (.error(4_040_006), true), (.error(5_000_000), false),
    (HTTPAnswer(status: 502), false),
  ])
  func `an extension is repeated only where Apple says that it did not happen`(
    answer: HTTPAnswer, isAgain: Bool
  ) {
    #expect(Self.isRepeat(Self.step(.extendRenewal, .success(answer))) == isAgain)
  }

  @Test func `an unreadable success is asked again, but never done again`() {
    var chance: any RandomNumberGenerator & Sendable = SeededGenerator(seed: 1)
    let error = AppStoreServerError.unreadableAnswer("x")
    var question = CallProgress(.transactionInfo, RetryPolicy())
    #expect(Self.isRepeat(question.next(afterUnreadable: error, using: &chance)))
    var deed = CallProgress(.extendRenewals, RetryPolicy())
    #expect(deed.next(afterUnreadable: error, using: &chance) == .fail(error))
  }

  @Test func `429 pauses, with and without Apple's error object`() {
    let pause = NextStep.pause(until: Self.now.adding(.seconds(5)))
    let header = "1790000005000"
    #expect(
      Self.step(.extendRenewal, .success(.error(4_290_000, retryAfter: header))) == pause)
    #expect(
      Self.step(.transactionInfo, .success(HTTPAnswer(status: 429, retryAfter: header))) == pause)
  }

  @Test func `one refused token is renewed, a second is not`() {
    var answer = HTTPAnswer(status: 401, date: Self.now.adding(.seconds(600)))
    answer.exchange = Self.now...Self.now
    let renewal = NextStep.renewToken(skew: .seconds(600))
    #expect(Self.step(.transactionInfo, .success(answer)) == renewal)
    #expect(Self.step(.transactionInfo, .success(answer), times: 2) == .refuseToken)
    #expect(
      Self.step(.transactionInfo, .success(answer), mayRenewToken: false) == .refuseToken)
  }

  @Test func `a rest doubles, keeps at least half, and has a ceiling`() {
    let policy = RetryPolicy()
    for seed in 0..<50 {
      var chance: any RandomNumberGenerator & Sendable = SeededGenerator(seed: UInt64(seed))
      for (attempts, whole) in [(1, 500), (2, 1_000), (3, 2_000), (7, 30_000), (90, 30_000)] {
        let delay = policy.delay(afterAttempts: attempts, using: &chance).milliseconds
        #expect((Int64(whole / 2)...Int64(whole)).contains(delay))
      }
    }
  }

  @Test func `every error says what and advises, and none speaks of a refund`() {
    let errors: [AppStoreServerError] = [
      .cancelled, .badRequest(.emptyWindow), .queueFull, .budgetSpent(until: Self.now),
      .rateLimited(until: Self.now),
      .unauthorized(Unauthorized(.production, .notReleased, skew: .seconds(34))),
      .unauthorized(Unauthorized(.sandbox, .keyRefused)),
      .unauthorized(Unauthorized(.production, .undetermined)),
      .unknownTransaction, HTTPAnswer.error(4_040_010).refusal, .unexpectedStatus(502),
      .unexpectedStatus(301), .unreadableAnswer("x"), .unreachable(.timedOut),
      .outcomeUnknown(.timedOut), .pagingStalled,
    ]
    #expect(Set(errors.map(\.description)).count == errors.count)
    #expect(errors.allSatisfy { !$0.advice.isEmpty })
    #expect(
      errors.filter(\.isTransient) == [
        .queueFull, .budgetSpent(until: Self.now), .rateLimited(until: Self.now),
        .unexpectedStatus(502), .unreadableAnswer("x"), .unreachable(.timedOut),
      ])
    let failures: [TransportFailure] = [
      .cancelled, .unavailable, .noConnection("x"), .insecure("x"), .timedOut, .tooLarge,
      .broken("x"),
    ]
    #expect(Set(failures.map(\.description)).count == failures.count)
    #expect(failures.allSatisfy { !$0.advice.isEmpty })
  }
}
