import AppStoreModel
import AppStoreSimulator
import Foundation
import Testing

/// A served ledger whose App Store answers what proves nothing, all over HTTP.
struct UnprovedAnswerTests {
  private static let story = """
    {
      steps: [
        { buy: 'pro', by: 'ada' },
        { after: '1h', buy: 'themes', by: 'ada' },
        { after: '1d', refund: 'ada.themes' },
        { refund: 'ada.pro' },
        { after: '1h', wait: '0s' },
      ],
      faults: { outages: [{ at: '12h', for: '2d' }] },
    }
    """

  /// What the App Store answers in place of the truth, what is said of it, and whether it is kept whole.
  enum Answer: String, CaseIterable {
    case otherRoot
    case anotherTransaction
    case renewalInstead
    case anotherApp

    var isKept: Bool { self != .otherRoot }
  }

  @Test(.timeLimit(.minutes(5)), arguments: Answer.allCases)
  func `an answer that proves nothing is told and set aside, and what is known stays`(
    answer: Answer
  ) async throws {
    let asked = try AskedStore(Self.story, "reconciliation: { scheduled: false }")
    try asked.openLedger(since: asked.start)
    let key = try asked.site.key("r", scope: "read", app: asked.app.bundleId)
    let served = try ServedProcess(asked.site)
    asked.listener.deliver(to: served.url + "/apple/notifications")
    try await asked.awaitDelivery()
    #expect(try warnings(served, key) == [])

    try spoil(asked, answer)
    let reconciled = try reconcile(asked)
    #expect(reconciled.code == 1, "\(reconciled.diagnostics)")
    let told = try warnings(served, key)
    #expect(told.map { $0["code"]?.string } == ["answerUnusable"])
    #expect(told.first?["app"]?.string == asked.app.bundleId)
    #expect(told.first?["environment"]?.string == "Sandbox")
    let detail = try #require(told.first?["detail"]?.string)
    #expect(detail.hasPrefix("an answer of Apple's is not to be believed: "))
    #expect(asked.site.logged.contains("\"answerUnusable\""))
    #expect(asked.site.logged.contains(detail))
    for product in [SimulatedProduct.pro, .themes] {
      #expect(try verdict(product, asked, served, key) == "granted")
    }
    let aside = try quarantined(asked)
    #expect(!aside.isEmpty)
    #expect(aside.allSatisfy { $0["channel"]?.string == "poll" })
    #expect(aside.allSatisfy { $0["isKept"] == .bool(answer.isKept) })
    #expect(aside.allSatisfy { detail.hasSuffix($0["reason"]?.string ?? "-") })
    let table = try ServedProcess.run(
      ["quarantine", "list", "--config", asked.site.configuration])
    #expect(table.output.contains("  poll  "))

    asked.listener.withServer { server, _ in server.faults = [] }
    #expect(try reconcile(asked).code == 0)
    #expect(try warnings(served, key) == [])
    for product in [SimulatedProduct.pro, .themes] {
      #expect(try verdict(product, asked, served, key) == "denied")
    }
    #expect(served.stop() == 0)
  }

  /// Lets every question about a purchase be answered so.
  private func spoil(_ asked: AskedStore, _ answer: Answer) throws {
    let (store, now) = try asked.store()
    let ada = try asked.customer("ada")
    let honest = NotificationSigner(JWSSigner(CertificateAuthority(seed: 31)))
    let forger = NotificationSigner(JWSSigner(CertificateAuthority(seed: 2)))
    let chain = store.subscriptions(of: ada).first?.originalTransactionId ?? ""
    let (bought, renews) = (
      store.copy(of: chain, signedAt: now), store.renewalInfo(of: chain, signedAt: now)
    )
    var copy = try #require(bought)
    let renewal = try #require(renews)
    let text: String
    switch answer {
    case .otherRoot: text = forger.sign(copy)
    case .renewalInstead: text = honest.sign(renewal)
    case .anotherTransaction:
      copy.transactionId = "2000000000000001"
      text = honest.sign(copy)
    case .anotherApp:
      copy.bundleId = "com.example.other"
      text = honest.sign(copy)
    }
    let answers: [(APIEndpoint, String)] = [
      (.transactionInfo, #"{"signedTransactionInfo":"\#(text)"}"#),
      (.statuses, #"{"environment":"Sandbox","bundleId":"\#(asked.app.bundleId)","data":[]}"#),
      (.refundHistory, #"{"signedTransactions":[],"revision":"1","hasMore":false}"#),
      (.notificationHistory, #"{"notificationHistory":[],"hasMore":false}"#),
    ]
    let faults = answers.map { endpoint, body in
      APIFault(
        APIAnswer(status: 200, type: "application/json", body: Array(body.utf8)), at: endpoint,
        count: 1_000)
    }
    asked.listener.withServer { server, _ in server.faults = faults }
  }

  private func reconcile(_ asked: AskedStore) throws -> (code: Int32, diagnostics: String) {
    let told = try ServedProcess.run(["reconcile", "--config", asked.site.configuration])
    return (told.code, told.diagnostics)
  }

  private func warnings(_ served: ServedProcess, _ key: String) throws -> [JSONValue] {
    let text = try served.get("/readyz", key: key)
    let readiness = try JSONValue(json: Array(text.utf8))
    #expect(readiness["ready"] == .bool(true))
    return readiness["warnings"]?.array ?? []
  }

  private func verdict(
    _ product: SimulatedProduct, _ asked: AskedStore, _ served: ServedProcess, _ key: String
  ) throws -> String? {
    let customer = asked.name(of: try asked.customer("ada"))
    let text = try served.get("/v1/customers/\(customer)/entitlements/\(product.id)", key: key)
    return try JSONValue(json: Array(text.utf8))["decision"]?["verdict"]?.string
  }

  private func quarantined(_ asked: AskedStore) throws -> [JSONValue] {
    let list = try ServedProcess.run(
      ["quarantine", "list", "--config", asked.site.configuration, "--json"])
    #expect(list.code == 0, "\(list.diagnostics)")
    return try JSONValue(json: Array(list.output.utf8))["items"]?.array ?? []
  }
}
