import AppStoreModel
import AppStoreSimulator
import Testing

@testable import LedgerServer

/// What the address that Apple posts to takes, refuses and keeps apart.
struct ReceiverTests {
  /// Signs as the simulated App Store of a ``ServedLedger`` with the same seed does.
  private static let signer = JWSSigner(CertificateAuthority(seed: 1))
  private static let themes = SimulatedProduct.themes

  private func serving(
    environment: AppStoreEnvironment = .sandbox,
    _ configured: (inout Configuration) -> Void = { _ in }, _ body: (ServedLedger) throws -> Void
  ) throws {
    let served = try ServedLedger(environment: environment, configured: configured)
    defer { served.stop() }
    try body(served)
  }

  /// What the store would say next, refunding that purchase, signed by somebody.
  private func refund(
    _ served: ServedLedger, _ transactionId: String, by signer: JWSSigner,
    environment: AppStoreEnvironment? = nil, form: SignatureForm = .raw
  ) throws -> String {
    var stage = served.stage
    try stage.refund(transactionId)
    let notification = try #require(stage.store.notifications.last)
    var payload = notification.payload
    if let environment { payload.data?.environment = environment }
    payload.data?.signedTransactionInfo = notification.transaction.map {
      var copy = $0
      if let environment { copy.environment = environment }
      return signer.sign(copy.json(), form)
    }
    payload.data?.signedRenewalInfo = nil
    return signer.sign(payload.json(), form)
  }

  @Test func `a forged refund closes nothing and is counted`() throws {
    try serving { served in
      let customer = served.stage.store.enroll("u")
      let bought = try served.stage.buy(Self.themes, customer)
      _ = try served.deliver()
      let own = CertificateAuthority(seed: 1)
      let stranger = CertificateAuthority(seed: 2)
      let forgeries = [
        try refund(served, bought, by: JWSSigner(stranger)),
        try refund(
          served, bought,
          by: JWSSigner(key: stranger.leaf.key, header: JWSHeader(chain: own.chain))),
        try refund(served, bought, by: Self.signer, form: .flipped),
        try refund(served, bought, by: Self.signer, environment: .xcode),
        try refund(served, bought, by: Self.signer, environment: .localTesting),
        "eyJhbGciOiJub25lIn0.e30.",
      ]
      for (number, forgery) in forgeries.enumerated() {
        let status = try served.post(forgery)
        #expect([400, 403].contains(status), "\(number): \(status)")
      }
      #expect(try served.verdict(customer, Self.themes.id) == "granted")
      let metrics = try served.call("GET /metrics", .read)
      #expect(metrics.body.contains("=\"refused\"} \(forgeries.count)"), "\(metrics.body)")
      // The genuine one does.
      #expect(try served.post(refund(served, bought, by: Self.signer)) == 200)
      #expect(try served.verdict(customer, Self.themes.id) == "denied")
    }
  }

  @Test func `what a lapsed certificate signed is refused, kept and warned of`() throws {
    try serving { served in
      let customer = served.stage.store.enroll("u")
      let bought = try served.stage.buy(Self.themes, customer)
      _ = try served.deliver()
      var plan = CertificatePlan.intermediate
      plan.notAfter = served.stage.now.subtracting(.hours(6))
      let lapsed = JWSSigner(CertificateAuthority(seed: 1, intermediate: plan))
      #expect(try served.post(refund(served, bought, by: lapsed)) == 400)
      #expect(try served.verdict(customer, Self.themes.id) == "granted")
      let quarantine = try served.call("GET /v1/quarantine", .admin).body
      #expect(quarantine.contains("dates.expired") && quarantine.contains(#""isKept":true"#))
      #expect(try served.call("GET /readyz").body.contains("dates.expired"))
      // Apple sends again what was not received, signed with what is good by then.
      #expect(try served.post(refund(served, bought, by: Self.signer)) == 200)
      #expect(try served.verdict(customer, Self.themes.id) == "denied")
    }
  }

  // Notifications about no purchase, in each container that Apple has, and some it may have.
  @Test(arguments: [
    #"{"notificationType":"RESCIND_CONSENT","notificationUUID":"u","appData":{"appAppleId":1234567890,"bundleId":"com.example.app","environment":"Sandbox"}}"#,
    #"{"notificationType":"RENEWAL_EXTENSION","subtype":"SUMMARY","notificationUUID":"u","summary":{"appAppleId":1234567890,"bundleId":"com.example.app","environment":"Sandbox","productId":"p","succeededCount":5,"failedCount":0}}"#,
    #"{"notificationType":"EXTERNAL_PURCHASE_TOKEN","subtype":"UNREPORTED","notificationUUID":"u","externalPurchaseToken":{"externalPurchaseId":"SANDBOX_x","appAppleId":1234567890,"bundleId":"com.example.app","tokenCreationDate":1}}"#,
    #"{"notificationType":"TEST","notificationUUID":"u","data":{"appAppleId":1234567890,"bundleId":"com.example.app","environment":"Sandbox"}}"#,
    #"{"notificationType":"SOMETHING_2027","subtype":"NEW","notificationUUID":"u","data":{"appAppleId":1234567890,"bundleId":"com.example.app","environment":"Sandbox","more":[1,{"a":null}]},"more":true}"#,
    #"{"data":{"appAppleId":1234567890,"bundleId":"com.example.app","environment":"Sandbox"}}"#,
    #"{"notificationType":17,"data":"of another shape"}"#,
  ])
  func `a notification about no purchase is kept and acknowledged, never refused`(
    json: String
  ) throws {
    try serving { served in
      let jws = Self.signer.sign(Array(json.utf8))
      #expect(try served.post(jws) == 200)
      #expect(try served.post(jws) == 200)
      let metrics = try served.call("GET /metrics", .read).body
      #expect(metrics.contains("=\"opaque\"} 1"), "\(metrics)")
      #expect(metrics.contains("=\"repeated\"} 1"), "\(metrics)")
      let quarantine = try served.call("GET /v1/quarantine", .admin)
      #expect(!quarantine.body.contains("reason"))
    }
  }

  @Test func `the purchase in a notification of tomorrow counts`() throws {
    try serving { served in
      let customer = served.stage.store.enroll("u")
      _ = try served.stage.buy(Self.themes, customer)
      let sold = try #require(served.stage.store.notifications.last)
      served.moment.set(served.stage.now)
      var payload = sold.payload
      payload.notificationType = NotificationType(rawValue: "SOMETHING_2027")
      payload.subtype = NotificationSubtype(rawValue: "NEW")
      payload.data?.signedTransactionInfo = sold.transaction.map { Self.signer.sign($0.json()) }
      #expect(try served.post(Self.signer.sign(payload.json())) == 200)
      #expect(try served.verdict(customer, Self.themes.id) == "granted")
    }
  }

  @Test(arguments: [AppStoreEnvironment.production, .sandbox])
  func `one address takes both environments, and each is seen and spent by its own key`(
    environment: AppStoreEnvironment
  ) throws {
    try serving(environment: environment) { served in
      let customer = served.stage.store.enroll("u")
      _ = try served.stage.buy(Self.themes, customer)
      #expect(try served.deliver() == [200])
      let name = try #require(customer.appAccountToken)
      let question = """
        {"customer":"\(name)","entitlement":"\(Self.themes.id)",\
        "amount":{"milliunits":1500,"currency":"USD"}}
        """
      for asked in [AppStoreEnvironment.production, .sandbox] {
        let answer = try served.call(
          "GET /v1/customers/\(name)/entitlements/\(Self.themes.id)", .read, asked)
        let isOwn = asked == environment
        #expect(answer.body.contains(isOwn ? #""granted""# : #""unknown""#))
        let spend = try served.call(
          "POST /v1/spend/authorizations", .spend, asked, body: question)
        #expect(spend.body.contains(isOwn ? #""decision":"allow""# : #""decision":"deny""#))
      }
    }
  }

  @Test func `a purchase posted again after its refund gives nothing back`() throws {
    try serving { served in
      let customer = served.stage.store.enroll("u")
      let bought = try served.stage.buy(Self.themes, customer)
      _ = try served.deliver()
      served.stage.waitDays(1)
      try served.stage.refund(bought)
      _ = try served.deliver()
      served.stage.waitDays(3)
      served.stage.store.sendAgain(0)
      #expect(try served.deliver() == [200])
      #expect(try served.verdict(customer, Self.themes.id) == "denied")
    }
  }

  @Test func `a customer is found by either spelling of the account token`() throws {
    try serving { served in
      let customer = served.stage.store.enroll("u")
      _ = try served.stage.buy(Self.themes, customer)
      _ = try served.deliver()
      let token = try #require(customer.appAccountToken)
      for name in [token, token.uppercased()] {
        let answer = try served.call(
          "GET /v1/customers/\(name)/entitlements/\(Self.themes.id)", .read)
        #expect(answer.body.contains(#""granted""#))
        let spend = try served.call(
          "POST /v1/spend/authorizations", .spend,
          body: """
            {"customer":"\(name)","entitlement":"\(Self.themes.id)",\
            "amount":{"milliunits":1,"currency":"USD"}}
            """)
        #expect(spend.body.contains(#""decision":"allow""#))
      }
    }
  }

  @Test(arguments: [
    "{}", #"{"signedTransactions":[]}"#, #"{"signedTransactions":[],"signedRenewals":[]}"#,
  ])
  func `a device that shows nothing takes nothing away`(body: String) throws {
    try serving { served in
      let customer = served.stage.store.enroll("u")
      _ = try served.stage.buy(.pro, customer)
      _ = try served.deliver()
      #expect(try served.call("POST /v1/transactions", .device, body: body).status == 400)
      #expect(try served.verdict(customer, SimulatedProduct.pro.id) == "granted")
    }
  }

  @Test func `no address but Apple's, and the two of health, opens without a key`() throws {
    try serving { served in
      let document = try JSONValue(
        json: Array(try served.call("GET /openapi.json", .read).body.utf8))
      let paths = Self.members(document["paths"])
      var open: Set<String> = []
      for path in paths {
        for method in Self.members(path.value) {
          let concrete = path.name.split(separator: "/").map { $0.hasPrefix("{") ? "x" : $0 }
            .joined(separator: "/")
          let line = "\(method.name.uppercased()) /\(concrete)"
          let status = try served.call(line, body: "{}").status
          if status != 401 { open.insert(line) }
        }
      }
      #expect(open == ["POST /apple/notifications", "GET /healthz", "GET /readyz"])
      #expect(paths.count > 15)
    }
  }

  private static func members(_ value: JSONValue?) -> [JSONValue.Member] {
    if case .object(let members) = value { members } else { [] }
  }
}
