import AppStoreModel
import AppStoreServerAPI
import AppStoreVerification
import EntitlementLedger
import LedgerStorage
import Testing

@testable import LedgerServer

/// When a request is answered, tried again, and given up.
struct CaseWorkTests {
  private static func at(_ minutes: Int64) -> Timestamp {
    DueRequest.askedAt.adding(.minutes(minutes))
  }

  private static func work(_ due: DueRequest) -> CaseWork {
    CaseWork(due: due, policy: .sample(.decline, delivery: .delivered), isConfigured: true)
  }

  private static func update(_ step: CaseWork.Step) -> RequestUpdate? {
    if case .write(let update) = step { update } else { nil }
  }

  private static func answer() throws -> CaseAnswer {
    guard case .send(let answer) = work(try .sample()).step(at: at(1)) else {
      throw RequestFault.emptyWindow
    }
    return answer
  }

  @Test func `an answer is sent within twelve hours and missed after them`() throws {
    let work = Self.work(try .sample())
    let answer = try Self.answer()
    #expect(work.step(at: Self.at(719)) == .send(answer))
    #expect(Self.update(work.step(at: Self.at(720)))?.progress == .missed)
  }

  @Test func `the sandbox gives five minutes`() throws {
    let work = Self.work(try .sample(environment: .sandbox))
    #expect(Self.update(work.step(at: Self.at(4))) == nil)
    #expect(Self.update(work.step(at: Self.at(5)))?.progress == .missed)
  }

  @Test func `a decision of Apple's makes the answer needless`() throws {
    let verdict = RefundVerdict(.declined, source: "v", at: Self.at(2))
    let work = Self.work(try .sample(verdicts: [verdict]))
    #expect(Self.update(work.step(at: Self.at(3)))?.progress == .moot)
  }

  @Test func `what lacks consent is looked at again, to its deadline and not beyond`() throws {
    let work = Self.work(try .sample(consent: nil))
    let first = try #require(Self.update(work.step(at: Self.at(1))))
    #expect(first.progress == .withheld(.noConsent))
    #expect(first.dueAt == Self.at(16))
    #expect(Self.update(work.step(at: Self.at(715)))?.dueAt == Self.at(720))
    let withheld = Self.work(try .sample(consent: nil, progress: .withheld(.noConsent)))
    let last = try #require(Self.update(withheld.step(at: Self.at(720))))
    #expect(last.progress == .withheld(.noConsent))
    #expect(last.dueAt == nil)
  }

  @Test func `what only another configuration could change is not looked at again`() throws {
    let work = CaseWork(due: try .sample(), policy: .sample(.none), isConfigured: true)
    let update = try #require(Self.update(work.step(at: Self.at(1))))
    #expect(update.progress == .withheld(.policy))
    #expect(update.dueAt == nil)
  }

  @Test func `an answer that Apple took is kept with its status`() throws {
    let update = Self.work(try .sample()).result(
      of: try Self.answer(), .success(202), at: Self.at(1))
    #expect(update.progress == .answered)
    #expect(update.dueAt == nil)
    #expect(update.attempt?.status == 202)
    #expect(update.attempt?.count == 1)
    #expect(update.attempt?.body.contains("DELIVERED") == true)
  }

  @Test func `words of others are kept up to a bound`() throws {
    let words = String(repeating: "x\u{301}", count: 4_000_000)
    let failure = AppStoreServerError.refused(
      AppleRefusal(status: 400, code: .invalidDeliveryStatus, message: words))
    let update = Self.work(try .sample()).result(
      of: try Self.answer(), .failure(failure), at: Self.at(1))
    #expect(update.attempt?.errorText?.unicodeScalars.count == AppleRefusal.longestMessage)
    let short = AppleRefusal(status: 400, code: .invalidDeliveryStatus, message: "as it was")
    #expect(short.message == "as it was")
  }

  @Test(
    arguments: [
      (
        .refused(
          AppleRefusal(status: 400, code: .invalidDeliveryStatus, message: "Invalid request.")),
        .refused, 400, "4000036", "Invalid request."
      ),
      (
        .refused(AppleRefusal(status: 400, code: .familyTransactionNotSupported)), .refused, 400,
        "4000185", "App Store error 4000185, familyTransactionNotSupported"
      ),
      (
        .unknownTransaction, .refused, 404, nil,
        "neither production nor the sandbox knows the transaction"
      ),
      (.badRequest(.emptyWindow), .refused, nil, nil, "the window is empty"),
      (
        .refused(AppleRefusal(status: 500, code: .generalInternalRetryable)), .waiting, 500,
        "5000001", "App Store error 5000001, generalInternalRetryable"
      ),
      (.unexpectedStatus(502), .waiting, 502, nil, "HTTP 502 without an error code of Apple's"),
      (.unreachable(.timedOut), .waiting, nil, nil, "no answer in time"),
      (
        .unauthorized(Unauthorized(.production, .keyRefused)), .waiting, 401, nil,
        "the App Store refuses the key"
      ),
    ] as [(AppStoreServerError, ConsumptionRequest.Progress, Int?, String?, String)])
  func `what Apple said is kept, and errors that may pass are tried again`(
    failure: AppStoreServerError, progress: ConsumptionRequest.Progress, status: Int?,
    code: String?, text: String
  ) throws {
    let update = Self.work(try .sample()).result(
      of: try Self.answer(), .failure(failure), at: Self.at(1))
    #expect(update.progress == progress)
    #expect(update.attempt?.status == status)
    #expect(update.attempt?.errorCode == code)
    #expect(update.attempt?.errorText == text)
    #expect(update.dueAt == (progress == .waiting ? Self.at(2) : nil))
  }

  @Test func `Apple's own pause is kept, and a failure at the deadline is the last`() throws {
    let work = Self.work(try .sample())
    let paused = work.result(
      of: try Self.answer(), .failure(.rateLimited(until: Self.at(30))), at: Self.at(1))
    #expect(paused.dueAt == Self.at(30))
    let last = work.result(
      of: try Self.answer(), .failure(.unreachable(.timedOut)), at: Self.at(720))
    #expect(last.progress == .missed)
    #expect(last.attempt?.errorText == "no answer in time")
    let late = work.result(
      of: try Self.answer(), .failure(.unreachable(.timedOut)), at: Self.at(719))
    #expect(late.dueAt == Self.at(720))
  }

  @Test(
    arguments: [
      (.hours(12), [60, 120, 240, 480, 960, 1_800, 1_800]),
      (.minutes(5), [0, 0, 1, 3, 6, 12, 12]),
    ] as [(TimeSpan, [Int64])])
  func `attempts come ever more slowly, in step with the window`(
    window: TimeSpan, seconds: [Int64]
  ) {
    let schedule = AnswerSchedule(window: window)
    let pauses = (1...7).map { count in
      (schedule.next(after: count, at: Self.at(0), nil).millisecondsSince1970
        - Self.at(0).millisecondsSince1970) / 1_000
    }
    #expect(pauses == seconds)
  }
}
