import AppStoreModel
import AppStoreServerAPI
import AppStoreSimulator
import EntitlementLedger
import LedgerStorage
import Synchronization
import Testing

@testable import LedgerServer

/// A case from Apple's request to Apple's answer, through a running server.
struct CaseKeeperTests {
  /// Answers as it is told, and remembers what was sent.
  final class Recorder: ConsumptionSender {
    private let failures: Mutex<[AppStoreServerError]>
    private let sent = Mutex<[String]>([])
    /// What happens once between the choice of an answer and its sending.
    let meanwhile = Mutex<(@Sendable () -> Void)?>(nil)
    private let status: Int

    init(failing failures: [AppStoreServerError] = [], status: Int = 202) {
      self.failures = Mutex(failures)
      self.status = status
    }

    var answers: [String] { sent.withLock { $0 } }

    func isConfigured(_ scope: Scope) -> Bool {
      let happens = meanwhile.withLock { meanwhile in
        defer { meanwhile = nil }
        return meanwhile
      }
      happens?()
      return true
    }

    func send(
      _ answer: CaseAnswer, for transactionId: String, in scope: Scope
    ) async throws(AppStoreServerError) -> Int {
      sent.withLock { $0.append(answer.said) }
      let failure = failures.withLock { $0.isEmpty ? nil : $0.removeFirst() }
      if let failure { throw failure }
      return status
    }
  }

  private func serving(
    _ recorder: Recorder, _ answer: Configuration.ConsumptionPolicy.Answer = .decline,
    _ body: (ServedLedger) async throws -> Void
  ) async throws {
    let served = try ServedLedger(sender: recorder) {
      $0.apps[0].consumption.standing = .sample(answer, delivery: .delivered)
    }
    defer { served.stop() }
    try await body(served)
  }

  /// Asks about a new purchase of a customer.
  private func ask(
    _ served: ServedLedger, consents: Bool = true
  ) throws -> (customer: Customer, bought: String) {
    let customer = served.stage.store.enroll("u")
    let bought = try served.stage.buy(.themes, customer)
    if consents { try consent(served, customer) }
    try served.stage.store.requestRefund(of: bought, at: served.stage.now)
    _ = try served.deliver()
    return (customer, bought)
  }

  private func consent(_ served: ServedLedger, _ customer: Customer) throws {
    let path = "PUT /v1/customers/\(customer.appAccountToken ?? "")/consent"
    _ = try served.call(path, .spend, body: #"{"consented":true}"#)
  }

  /// Reads the cases until they show what is expected, for a bounded number of readings.
  ///
  /// It gives way each time: answers are sent on the threads that tests run on.
  private func cases(_ served: ServedLedger, showing text: String) async throws -> String {
    var body = ""
    for _ in 0..<5_000 where !body.contains(text) {
      body = try served.call("GET /v1/cases", .read).body
      await Task.yield()
    }
    return body
  }

  @Test func `a request is answered once, and a retry of it not again`() async throws {
    let recorder = Recorder()
    try await serving(recorder) { served in
      _ = try ask(served)
      let body = try await cases(served, showing: #""state":"answered""#)
      #expect(body.contains(#""status":202"#))
      #expect(body.contains(#""refundPreference":"DECLINE""#))
      _ = try served.deliverAgain()
      #expect(try await cases(served, showing: "answered").contains(#""attempts":1"#))
      #expect(recorder.answers.count == 1)
      let events = try served.call("GET /v1/events", .read).body
      #expect(events.contains(#""type":"caseAnswered""#))
    }
  }

  @Test func `each new request of the same transaction is answered`() async throws {
    let recorder = Recorder()
    try await serving(recorder) { served in
      let bought = try ask(served).bought
      _ = try await cases(served, showing: #""state":"answered""#)
      served.stage.waitDays(1)
      try served.stage.store.requestRefund(of: bought, at: served.stage.now)
      _ = try served.deliver()
      var answered = 0
      for _ in 0..<5_000 where answered < 2 {
        let body = try served.call("GET /v1/cases", .read).body
        await Task.yield()
        answered = body.split(separator: #""progress":"answered""#).count - 1
      }
      #expect(recorder.answers.count == 2)
    }
  }

  @Test func `without consent nothing is sent, with it at once`() async throws {
    let recorder = Recorder()
    try await serving(recorder) { served in
      let customer = try ask(served, consents: false).customer
      _ = try await cases(served, showing: #""withheldBecause":"noConsent""#)
      #expect(recorder.answers == [])
      try consent(served, customer)
      _ = try await cases(served, showing: #""state":"answered""#)
      #expect(recorder.answers.count == 1)
    }
  }

  @Test func `a consent that is withdrawn before an attempt keeps it from being made`()
    async throws
  {
    let recorder = Recorder()
    try await serving(recorder) { served in
      let customer = served.stage.store.enroll("u")
      let bought = try served.stage.buy(.themes, customer)
      try consent(served, customer)
      let id = try #require(CustomerID(customer.appAccountToken ?? ""))
      let (ledger, now) = (served.service.ledger, served.stage.now)
      let key = CustomerKey(scope: served.scope(), id: id)
      recorder.meanwhile.withLock {
        $0 = {
          let withdrawal = Consent(isGiven: false, recordedBy: "k", recordedAt: now)
          _ = try? ledger.wait { ledger.record(withdrawal, of: key, completion: $0) }
        }
      }
      try served.stage.store.requestRefund(of: bought, at: served.stage.now)
      _ = try served.deliver()
      _ = try await cases(served, showing: #""withheldBecause":"noConsent""#)
      #expect(recorder.answers == [])
    }
  }

  @Test func `a deadline that passes before an attempt keeps it from being made`() async throws {
    let recorder = Recorder()
    try await serving(recorder) { served in
      let (moment, late) = (served.moment, served.stage.now.adding(.minutes(6)))
      recorder.meanwhile.withLock { $0 = { moment.set(late) } }
      _ = try ask(served)
      _ = try await cases(served, showing: #""progress":"missed""#)
      #expect(recorder.answers == [])
    }
  }

  @Test func `the status that Apple answered with is kept`() async throws {
    let recorder = Recorder(status: 200)
    try await serving(recorder) { served in
      _ = try ask(served)
      let body = try await cases(served, showing: #""state":"answered""#)
      #expect(body.contains(#""status":200"#))
    }
  }

  @Test func `an error that may pass is tried again, and the deadline ends it`() async throws {
    let recorder = Recorder(failing: Array(repeating: .unexpectedStatus(502), count: 100))
    try await serving(recorder) { served in
      _ = try ask(served)
      let failed = try await cases(served, showing: #""status":502"#)
      #expect(failed.contains(#""state":"waiting""#))
      served.moment.set(served.stage.now.adding(.minutes(1)))
      _ = try await cases(served, showing: #""attempts":2"#)
      served.moment.set(served.stage.now.adding(.minutes(5)))
      _ = try await cases(served, showing: #""progress":"missed""#)
      let events = try served.call("GET /v1/events", .read).body
      #expect(events.contains(#""type":"caseMissed""#))
    }
  }

  @Test func `a refusal of Apple's is kept and not repeated`() async throws {
    let refusal = AppleRefusal(status: 400, code: .invalidDeliveryStatus, message: "Invalid.")
    let recorder = Recorder(failing: [.refused(refusal)])
    try await serving(recorder) { served in
      _ = try ask(served)
      let body = try await cases(served, showing: #""state":"refused""#)
      #expect(body.contains(#""status":400,"errorCode":"4000036","errorText":"Invalid.""#))
      #expect(recorder.answers.count == 1)
    }
  }

  @Test func `no answer is the default`() async throws {
    let recorder = Recorder()
    try await serving(recorder, .none) { served in
      _ = try ask(served)
      _ = try await cases(served, showing: #""withheldBecause":"policy""#)
      #expect(recorder.answers == [])
    }
  }
}
