import AppStoreModel
import AppStoreVerification
import Testing

@testable import AppStoreServerAPI

struct AppStoreServerClientTests {
  private static let html = HTTPAnswer(status: 502, body: Array("<html>Bad Gateway</html>".utf8))

  private static func token(_ call: HTTPCall) -> String? {
    call.headers.first { $0.hasPrefix("Authorization: Bearer ") }
  }

  @Test func `a question is asked where it belongs, with a token and nothing else of ours`()
    async throws
  {
    let sample = try SampleClient(.success(SampleClient.transaction))
    #expect(await sample.ask() == .success("a.b.c"))
    #expect(await sample.ask(CallOptions(.sandbox)) == .success("a.b.c"))
    #expect(
      sample.transport.calls.map(\.url) == [
        "https://api.storekit.apple.com/inApps/v1/transactions/1",
        "https://api.storekit-sandbox.apple.com/inApps/v1/transactions/1",
      ])
    let call = try #require(sample.transport.calls.first)
    #expect(call.method == "GET" && call.body == nil && call.headers.count == 3)
    #expect(Self.token(call) != nil)
    #expect(Self.token(call) == sample.transport.calls.last.flatMap(Self.token))
    #expect(sample.events.isEmpty)
  }

  @Test func `trouble that passes is sat out, and the log says why`() async throws {
    let sample = try SampleClient(
      .success(Self.html), .failure(.timedOut), .success(.json("<html>", status: 200)),
      .success(.error(5_000_001)), .success(SampleClient.transaction))
    #expect(await sample.ask() == .success("a.b.c"))
    #expect(sample.transport.calls.count == 5)
    let reasons = sample.events.compactMap { event -> AppStoreServerError? in
      if case .repeating(let error, _) = event { error } else { nil }
    }
    #expect(
      reasons == [
        .unexpectedStatus(502), .unreachable(.timedOut),
        .unreadableAnswer("not JSON: a value expected at byte 0"),
        HTTPAnswer.error(5_000_001).refusal,
      ])
    #expect(sample.clock.now.seconds(after: TurningClock.start) >= 3)
  }

  @Test func `trouble that stays is reported as what it is`() async throws {
    let sample = try SampleClient(.success(Self.html))
    #expect(await sample.ask() == .failure(.unexpectedStatus(502)))
    #expect(sample.transport.calls.count == 5)
    #expect(sample.events.last == .failed(.unexpectedStatus(502)))
  }

  @Test(
    arguments: [
      (html, .unexpectedStatus(502)),
      (.error(5_000_001), HTTPAnswer.error(5_000_001).refusal),
      (
        .error(4_290_000, retryAfter: "15"),
        .rateLimited(until: TurningClock.start.adding(.seconds(15)))
      ),
      (.json("<html>login</html>"), .unreadableAnswer("not JSON: a value expected at byte 0")),
    ] as [(HTTPAnswer, AppStoreServerError)])
  func `what is sent once is never repeated, whatever came`(
    answer: HTTPAnswer, error: AppStoreServerError
  ) async throws {
    let sample = try SampleClient(.success(answer), .success(.json("", status: 202)))
    #expect(try await sample.tellConsumption() == .failure(error))
    #expect(sample.transport.calls.count == 1)
    #expect(sample.clock.now == TurningClock.start, "nothing was waited for")
  }

  @Test func `what is sent once does not wait for its turn either`() async throws {
    let sample = try SampleClient(
      .success(.error(4_290_000, retryAfter: "15")), .success(.json("", status: 202)))
    let until = TurningClock.start.adding(.seconds(15))
    #expect(try await sample.tellConsumption() == .failure(.rateLimited(until: until)))
    #expect(try await sample.tellConsumption() == .failure(.rateLimited(until: until)))
    #expect(sample.transport.calls.count == 1)
  }

  @Test(arguments: [("", 202), ("Accepted", 202), (" \r\n", 200), ("{}", 200)])
  func `an acknowledgement is told by its status`(body: String, status: Int) async throws {
    let sample = try SampleClient(.success(.json(body, status: status)))
    #expect(try await sample.tellConsumption() == .success(status))
  }

  @Test func `impatience ends a rest before it begins`() async throws {
    let sample = try SampleClient(.success(Self.html))
    let hurry = CallOptions(.production, patience: TimeSpan(milliseconds: 200))
    #expect(await sample.ask(hurry) == .failure(.unexpectedStatus(502)))
    #expect(sample.transport.calls.count == 1)
    #expect(sample.transport.calls.first?.timeout == TimeSpan(milliseconds: 200))
  }

  @Test func `429 pauses this endpoint and no other, until the moment that Apple names`()
    async throws
  {
    let until = TurningClock.start.adding(.seconds(60))
    let sample = try SampleClient(
      ClientSettings(),
      ScriptedTransport { call, number in
        switch number {
        case 1:
          .success(.error(4_290_000, retryAfter: String(until.millisecondsSince1970)))
        case 2: .success(.json("{}"))
        default: .success(SampleClient.transaction)
        }
      })
    let hurry = CallOptions(.production, patience: .seconds(5))
    #expect(await sample.ask(hurry) == .failure(.rateLimited(until: until)))
    #expect(sample.client.load(.transactionInfo, in: .production).pausedUntil == until)
    #expect(sample.client.load(.transactionInfo, in: .sandbox).pausedUntil == nil)
    _ = try await sample.client.refundHistory("1", after: nil, hurry)
    #expect(sample.clock.now < until)
    #expect(await sample.ask() == .success("a.b.c"))
    #expect(sample.clock.now >= until)
    #expect(sample.transport.calls.count == 3)
    #expect(sample.events.contains(.paused(until: until)))
  }

  @Test func `a clock that is off is measured once and remembered`() async throws {
    let ahead = TimeSpan.minutes(20)
    let sample = try SampleClient(
      ClientSettings(),
      ScriptedTransport { call, number in
        // The App Store's clock is twenty minutes behind ours.
        number == 1
          ? .success(
            HTTPAnswer(
              status: 401, body: Array("Unauthenticated".utf8),
              date: TurningClock.start.subtracting(ahead)))
          : .success(SampleClient.transaction)
      })
    #expect(await sample.ask() == .success("a.b.c"))
    #expect(await sample.ask() == .success("a.b.c"))
    #expect(sample.transport.calls.count == 3)
    #expect(sample.client.clockSkewMilliseconds == -1_199_001)
    #expect(sample.events == [.clockCorrected(TimeSpan(milliseconds: -1_199_001))])
    let event = ClientEvent(
      bundleId: "b", endpoint: .transactionInfo, environment: .production,
      kind: .clockCorrected(TimeSpan(milliseconds: -34_500)))
    #expect(
      event.description
        == "b Production transactionInfo: our clock is 34 s ahead of the App Store's; "
        + "tokens are corrected")
  }

  @Test func `a token that ends in the middle of a walk is renewed, and no page is lost`()
    async throws
  {
    let clock = TurningClock()
    let transport = ScriptedTransport { call, number in
      // Every page takes five minutes; every third token is refused for no reason at all.
      clock.turn(.minutes(5))
      if number % 3 == 0 { return .success(HTTPAnswer(status: 401)) }
      let page = call.url.split(separator: "=").last.flatMap { Int($0) } ?? 0
      return .success(
        .json(
          #"{"signedTransactions":["t\#(page)"],"revision":"\#(page + 1)","hasMore":\#(page < 19)}"#
        ))
    }
    let client = try AppStoreServerClient(
      .sample(), ClientSettings(), transport, clock.clock, SystemRandomNumberGenerator())
    var revision: String?
    var found: [String] = []
    repeat {
      let page = try await client.transactionHistory(
        "1", HistoryQuery(), after: revision, CallOptions(.production, patience: .hours(1)))
      found += page.signedTransactions.map(\.text)
      revision = try page.next(after: revision)
    } while revision != nil
    #expect(found == (0..<20).map { "t\($0)" })
    #expect(Set(transport.calls.compactMap(Self.token)).count >= 7)
  }

  @Test func `a bad key is told from an app before its release`() async throws {
    for (sandbox, cause) in [
      (HTTPAnswer(status: 401, body: Array("Unauthenticated".utf8)), Unauthorized.Cause.keyRefused),
      (.error(4_040_010), .notReleased), (.error(4_000_006), .notReleased),
      (SampleClient.transaction, .notReleased), (Self.html, .undetermined),
    ] {
      let sample = try SampleClient(
        ClientSettings(),
        ScriptedTransport { call, _ in
          .success(call.url.contains("sandbox") ? sandbox : HTTPAnswer(status: 401))
        })
      let error = AppStoreServerError.unauthorized(Unauthorized(.production, cause))
      #expect(await sample.ask() == .failure(error))
      #expect(!error.isTransient)
      guard cause != .undetermined else { continue }
      // What was found out is not asked again for a while.
      let count = sample.transport.calls.count
      #expect(await sample.ask() == .failure(error))
      #expect(sample.transport.calls.count == count + 1)
      sample.clock.turn(.minutes(6))
      #expect(await sample.ask() == .failure(error))
      #expect(sample.transport.calls.count > count + 2)
    }
  }

  @Test func `the sandbox takes every good key, so its refusal is the key's`() async throws {
    let sample = try SampleClient(.success(HTTPAnswer(status: 401)))
    #expect(
      await sample.ask(CallOptions(.sandbox))
        == .failure(.unauthorized(Unauthorized(.sandbox, .keyRefused))))
    #expect(sample.transport.calls.count == 2)
  }

  @Test func `what cannot be undone is sent once`() async throws {
    let sample = try SampleClient(.failure(.timedOut))
    let terms = try ExtendRenewal(days: 1, reason: .other, requestIdentifier: "r")
    await #expect(throws: AppStoreServerError.outcomeUnknown(.timedOut)) {
      try await sample.client.extendRenewal(of: "1", terms, CallOptions(.production))
    }
    #expect(sample.transport.calls.count == 1)
    #expect(sample.transport.calls.first?.method == "PUT")
    #expect(sample.transport.calls.first?.mayBeRepeated == false)
  }

  @Test func `every endpoint's answer is read`() async throws {
    let answers: [String: String] = [
      "appTransactions/1": #"{"signedAppTransactionInfo":"a"}"#,
      "subscriptions/1": #"{"data":[]}"#,
      "refund/lookup/1": #"{"hasMore":false,"revision":"r"}"#,
      "notifications/history": #"{"hasMore":false}"#,
      "notifications/test": #"{"testNotificationToken":"t"}"#,
      "notifications/test/t": #"{"signedPayload":"p"}"#, "lookup/M": #"{"status":1}"#,
      "extend/1": #"{"success":false}"#, "extend/mass": #"{"requestIdentifier":"r"}"#,
      "mass/p/r": #"{"complete":false}"#,
    ]
    let sample = try SampleClient(
      ClientSettings(),
      ScriptedTransport { call, _ in
        answers.first { call.url.hasSuffix($0.key) }.map { .success(.json($0.value)) }
          ?? .success(HTTPAnswer(status: 202))
      })
    let client = sample.client
    let options = CallOptions(.production)
    let now = TurningClock.start
    let terms = try ExtendRenewal(days: 1, reason: .other, requestIdentifier: "r")
    let subject = ConsumptionSubject(
      productType: .consumable, ownership: .purchased, isAdvancedCommerce: false)
    let commerce = ConsumptionSubject(
      productType: .consumable, ownership: .purchased, isAdvancedCommerce: true)
    #expect(try await client.appTransactionInfo("1", options).text == "a")
    #expect(try await client.subscriptionStatuses("1", only: [], options).groups == [])
    #expect(try await client.refundHistory("1", after: nil, options).revision == "r")
    let query = NotificationQuery(from: now.subtracting(.days(1)), to: now)
    #expect(try await client.notificationHistory(query, after: nil, options).notifications == [])
    #expect(try await client.requestTestNotification(options) == "t")
    #expect(try await client.testNotificationStatus("t", options).signedPayload.text == "p")
    #expect(try await client.lookUpOrder("M", options).isValid == false)
    #expect(try await client.extendRenewal(of: "1", terms, options).success == false)
    #expect(
      try await client.extendRenewals(MassExtendRenewals(productId: "p", terms), options) == "r")
    #expect(
      try await client.massExtensionStatus(productId: "p", requestIdentifier: "r", options)
        .isComplete == false)
    try await client.sendConsumption(
      ConsumptionInformation(
        about: subject, customerConsented: true, deliveryStatus: .delivered,
        sampleContentProvided: false), for: "1", options)
    try await client.sendConsumption(
      ConsumptionInformationV1(
        about: commerce, customerConsented: true, deliveryStatus: .deliveredAndWorking,
        sampleContentProvided: false), for: "1", options)
    try await client.setAppAccountToken(
      "11111111-2222-3333-4444-555555555555", for: "1", options)
    try await client.finishTransaction("1", options)
    #expect(client.bundleId == "com.example.app")
  }

  @Test func `a client without credentials is not made`() throws {
    let transport = ScriptedTransport([.success(SampleClient.transaction)])
    let key = try SigningKey(p8: TestKey.shared.p8())
    for (bundle, issuer, id, name) in [
      ("", "i", "k", "the bundle id"), ("b", "", "k", "the issuer id"),
      ("b", "i", "", "the key id"),
    ] {
      #expect(throws: ClientSetupError.emptyCredential(name)) {
        try AppStoreServerClient(
          AppCredentials(bundleId: bundle, issuerId: issuer, keyId: id, key: key),
          ClientSettings(), transport, .system, SystemRandomNumberGenerator())
      }
    }
  }
}
