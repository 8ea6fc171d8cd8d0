import AppStoreModel
import AppStoreServerAPI
import AppStoreSimulator
import EntitlementLedger
import LedgerServer
import LedgerStorage
import Testing

/// A consumption request from the simulated App Store to the refund that follows the answer.
struct ConsumptionTests {
  private func trial(
    _ answer: Configuration.ConsumptionPolicy.Answer, delivery: DeliveryStatus? = .delivered,
    consents: Bool = true, seed: UInt64 = 11, _ body: (CaseTrial) async throws -> Void
  ) async throws {
    let trial = try CaseTrial(answer, delivery: delivery, consents: consents, seed: seed)
    defer { trial.stop() }
    try await body(trial)
  }

  /// What the App Store was told about a request.
  private func told(_ trial: CaseTrial, _ bought: String) throws -> ConsumptionAnswer? {
    trial.simulator.withServer { server, _ in
      server.store(.sandbox)?.refundRequests[bought]?.answer
    }
  }

  @Test func `a prorated refund follows what recorded spend says was used`() async throws {
    try await trial(.prorated, delivery: nil, seed: 21) { trial in
      let bought = try await trial.buyAndAsk(.themes, spending: 2_497)
      let stored = try await trial.refundCase(standing: .answered)
      #expect(stored.refundCase.newest?.attempt?.status == 202)
      #expect(
        try told(trial, bought)
          == ConsumptionAnswer(
            preference: .grantProrated, consumed: RevokedShare(percentMilliunits: 24_994)))
      let decision = try trial.act { (store, now) throws(StoreRefusal) in
        try store.decideRefund(of: bought, at: now)
      }
      #expect(decision == .prorated(try #require(RevokedShare(percentMilliunits: 75_006))))
      _ = try await trial.refundCase(standing: .closed(.refunded))
    }
  }

  @Test func `a declined refund closes the case without money`() async throws {
    try await trial(.decline, seed: 22) { trial in
      let bought = try await trial.buyAndAsk(.coins)
      _ = try await trial.refundCase(standing: .answered)
      let decision = try trial.act { (store, now) throws(StoreRefusal) in
        try store.decideRefund(of: bought, at: now)
      }
      #expect(decision == .declined)
      _ = try await trial.refundCase(standing: .closed(.declined))
    }
  }

  @Test func `a subscription is answered without a share`() async throws {
    try await trial(.grant, seed: 23) { trial in
      let bought = try await trial.buyAndAsk(.pro, spending: 100)
      _ = try await trial.refundCase(standing: .answered)
      #expect(try told(trial, bought) == ConsumptionAnswer(preference: .grantFull))
    }
  }

  @Test func `nothing is sent before the customer agrees`() async throws {
    try await trial(.decline, consents: false, seed: 24) { trial in
      let bought = try await trial.buyAndAsk(.coins)
      _ = try await trial.refundCase(standing: .withheld(.noConsent))
      #expect(try told(trial, bought) == nil)
      try trial.consent()
      _ = try await trial.refundCase(standing: .answered)
      #expect(try told(trial, bought)?.preference == .decline)
    }
  }

  @Test func `trouble of the App Store's delays the answer`() async throws {
    try await trial(.decline, seed: 25) { trial in
      trial.simulator.withServer { server, _ in
        server.faults = [APIFault(APIAnswer(status: 503), count: 3)]
      }
      _ = try await trial.buyAndAsk(.coins)
      let stored = try await trial.refundCase(standing: .answered)
      #expect((stored.refundCase.newest?.attempt?.count ?? 0) >= 1)
    }
  }

  @Test(arguments: [true, false])
  func `a decision that arrives while the answer is tried ends the trying`(
    isRefunded: Bool
  ) async throws {
    try await trial(.grant, seed: 27) { trial in
      trial.simulator.withServer { server, _ in
        server.faults = [APIFault(APIAnswer(status: 503), count: 100_000)]
      }
      let bought = try await trial.buyAndAsk(.coins)
      try await trial.until("it was tried") {
        try trial.onlyCase()?.refundCase.newest?.attempt?.status == 503
      }
      try trial.act { (store, now) throws(StoreRefusal) in
        if isRefunded {
          try store.refund(bought, at: now)
        } else {
          try store.declineRefund(of: bought, at: now)
        }
      }
      let closed = try await trial.refundCase(
        standing: .closed(isRefunded ? .refunded : .declined))
      trial.simulator.withServer { server, _ in server.faults = [] }
      try await trial.until("nothing is left to be sent") {
        try trial.onlyCase()?.refundCase.newest?.progress == .moot
      }
      let calls = trial.simulator.withServer { server, _ in server.journal.entries }
        .filter { $0.endpoint == .consumption }
      #expect(!calls.isEmpty)
      #expect(calls.allSatisfy { $0.status == 503 })
      #expect(closed.refundCase.newest?.progress != .answered)
    }
  }

  @Test func `a key that the App Store refuses is said, and tried until the deadline`() async throws
  {
    try await trial(.decline, seed: 26) { trial in
      trial.simulator.withServer { server, _ in
        server.faults = [APIFault(APIAnswer(status: 401), count: 1_000)]
      }
      _ = try await trial.buyAndAsk(.coins)
      try await trial.until("the refusal is kept") {
        try trial.onlyCase()?.refundCase.newest?.attempt?.status == 401
      }
      let stored = try #require(try trial.onlyCase())
      #expect(stored.refundCase.newest?.progress == .waiting)
      #expect(stored.refundCase.newest?.attempt?.errorText == "the App Store refuses the key")
    }
  }
}
