import AppStoreModel
import AppStoreVerification
import Testing

@testable import AppStoreServerAPI

struct APIRequestTests {
  private static func body(_ request: APIRequest) -> String? {
    request.body.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func `every endpoint has the method and the path that Apple documents`() throws {
    let subject = ConsumptionSubject(
      productType: .consumable, ownership: .purchased, isAdvancedCommerce: false)
    let commerce = ConsumptionSubject(
      productType: .consumable, ownership: .purchased, isAdvancedCommerce: true)
    let terms = try ExtendRenewal(days: 7, reason: .serviceIssueOrOutage, requestIdentifier: "r/1")
    let query = NotificationQuery(
      from: Timestamp(millisecondsSince1970: 1), to: Timestamp(millisecondsSince1970: 2))
    let requests: [APIRequest] = [
      try .transactionInfo("1"), try .appTransactionInfo("2"),
      try .transactionHistory("3", HistoryQuery(), after: nil),
      try .subscriptionStatuses("4", only: []), try .refundHistory("5", after: nil),
      try .notificationHistory(query, after: nil), .requestTestNotification,
      try .testNotificationStatus("u-1"), try .lookUpOrder("MM1", in: .production),
      try .sendConsumption(
        ConsumptionInformation(
          about: subject, customerConsented: true, deliveryStatus: .delivered,
          sampleContentProvided: false), for: "6"),
      try .sendConsumption(
        ConsumptionInformationV1(
          about: commerce, customerConsented: true, deliveryStatus: .other,
          sampleContentProvided: false), for: "7"),
      try .extendRenewal(of: "8", terms),
      .extendRenewals(try MassExtendRenewals(productId: "com.example.pro", terms)),
      try .massExtensionStatus(productId: "com.example.pro", requestIdentifier: "r/1"),
      try .setAppAccountToken("11111111-2222-3333-4444-555555555555", for: "9"),
      try .finishTransaction("10"),
    ]
    #expect(Set(requests.map(\.endpoint)) == Set(Endpoint.allCases))
    #expect(
      requests.map { $0.endpoint.method + " " + $0.target } == [
        "GET /inApps/v1/transactions/1", "GET /inApps/v1/transactions/appTransactions/2",
        "GET /inApps/v2/history/3", "GET /inApps/v1/subscriptions/4",
        "GET /inApps/v2/refund/lookup/5", "POST /inApps/v1/notifications/history",
        "POST /inApps/v1/notifications/test", "GET /inApps/v1/notifications/test/u-1",
        "GET /inApps/v1/lookup/MM1", "PUT /inApps/v2/transactions/consumption/6",
        "PUT /inApps/v1/transactions/consumption/7", "PUT /inApps/v1/subscriptions/extend/8",
        "POST /inApps/v1/subscriptions/extend/mass",
        "GET /inApps/v1/subscriptions/extend/mass/com.example.pro/r%2F1",
        "PUT /inApps/v1/transactions/9/appAccountToken", "POST /inApps/v1/transactions/10/finish",
      ])
  }

  @Test func `a history query names every filter, repeated where Apple lets it be`() throws {
    var query = HistoryQuery()
    query.startDate = Timestamp(millisecondsSince1970: 1_000)
    query.endDate = Timestamp(millisecondsSince1970: 2_000)
    query.productIds = ["a b", "c"]
    query.productTypes = [.autoRenewable, .nonConsumable]
    query.subscriptionGroupIdentifiers = ["21"]
    query.inAppOwnershipType = .familyShared
    query.revoked = false
    query.newestFirst = true
    #expect(
      try APIRequest.transactionHistory("1", query, after: "r=1").target
        == "/inApps/v2/history/1?startDate=1000&endDate=2000&productId=a%20b&productId=c"
        + "&productType=AUTO_RENEWABLE&productType=NON_CONSUMABLE&subscriptionGroupIdentifier=21"
        + "&inAppOwnershipType=FAMILY_SHARED&revoked=false&sort=DESCENDING&revision=r%3D1")
  }

  @Test func `wanted statuses are repeated`() throws {
    #expect(
      try APIRequest.subscriptionStatuses("1", only: [.active, .revoked]).target
        == "/inApps/v1/subscriptions/1?status=1&status=5")
  }

  @Test(arguments: ["", "r1"])
  func `an empty mark is left out`(mark: String) throws {
    #expect(
      try APIRequest.refundHistory("1", after: mark).target
        == "/inApps/v2/refund/lookup/1" + (mark.isEmpty ? "" : "?revision=r1"))
  }

  @Test(arguments: [
    (NotificationQuery.Filter.all, false, #"{"startDate":1,"endDate":9}"#),
    (.transaction(""), false, #"{"startDate":1,"endDate":9}"#),
    (
      .transaction("7"), true,
      #"{"startDate":1,"endDate":9,"transactionId":"7","onlyFailures":true}"#
    ),
    (
      .type(.refund), false, #"{"startDate":1,"endDate":9,"notificationType":"REFUND"}"#
    ),
    (
      .type(.subscribed, subtype: .initialBuy), false,
      #"{"startDate":1,"endDate":9,"notificationType":"SUBSCRIBED","notificationSubtype":"INITIAL_BUY"}"#
    ),
  ])
  func `a notification query leaves out what is empty`(
    filter: NotificationQuery.Filter, onlyFailures: Bool, body: String
  ) throws {
    let query = NotificationQuery(
      from: Timestamp(millisecondsSince1970: 1), to: Timestamp(millisecondsSince1970: 9), filter,
      onlyFailures: onlyFailures)
    let request = try APIRequest.notificationHistory(query, after: "t+1")
    #expect(Self.body(request) == body)
    #expect(request.target == "/inApps/v1/notifications/history?paginationToken=t%2B1")
  }

  @Test func `a query is cut to what the App Store remembers, an hour inside`() {
    let now = TurningClock.start
    let old = NotificationQuery(from: now.subtracting(.days(200)), to: now)
    let production = old.cut(toReachIn: .production, now: now)
    #expect(production.isCut)
    #expect(production.query.startDate == now.subtracting(.days(180)).adding(.hours(1)))
    #expect(production.query.endDate == old.endDate)
    let sandbox = old.cut(toReachIn: .sandbox, now: now)
    #expect(sandbox.query.startDate == now.subtracting(.days(30)).adding(.hours(1)))
    let young = NotificationQuery(from: now.subtracting(.days(29)), to: now)
    #expect(young.cut(toReachIn: .sandbox, now: now) == (young, false))
  }

  @Test func `extensions say days, reason and identifier`() throws {
    let terms = try ExtendRenewal(days: 90, reason: .customerSatisfaction, requestIdentifier: "r")
    #expect(
      Self.body(try APIRequest.extendRenewal(of: "1", terms))
        == #"{"extendByDays":90,"extendReasonCode":1,"requestIdentifier":"r"}"#)
    let mass = try MassExtendRenewals(
      productId: "p", terms, storefrontCountryCodes: ["USA", "DEU"])
    #expect(
      Self.body(.extendRenewals(mass))
        == #"{"extendByDays":90,"extendReasonCode":1,"requestIdentifier":"r","productId":"p","#
        + #""storefrontCountryCodes":["USA","DEU"]}"#)
  }

  @Test func `an account token is sent in lower case`() throws {
    let request = try APIRequest.setAppAccountToken(
      "AAAAAAAA-BBBB-CCCC-DDDD-EEEEEEEEEEEE", for: "1")
    #expect(
      Self.body(request) == #"{"appAccountToken":"aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee"}"#)
  }

  @Test func `what Apple would refuse is not asked`() {
    let now = TurningClock.start
    var query = HistoryQuery()
    query.startDate = now
    query.endDate = now
    let window = AppStoreServerError.badRequest(.emptyWindow)
    #expect(throws: window) { try APIRequest.transactionHistory("1", query, after: nil) }
    #expect(throws: window) {
      try APIRequest.notificationHistory(NotificationQuery(from: now, to: now), after: nil)
    }
    #expect(throws: AppStoreServerError.badRequest(.emptyIdentifier("transactionId"))) {
      try APIRequest.transactionInfo("")
    }
    #expect(throws: AppStoreServerError.badRequest(.emptyIdentifier("requestIdentifier"))) {
      try APIRequest.massExtensionStatus(productId: "p", requestIdentifier: "")
    }
    #expect(throws: AppStoreServerError.badRequest(.productionOnly)) {
      try APIRequest.lookUpOrder("M", in: .sandbox)
    }
    for token in ["", "1", "11111111-2222-3333-4444-55555555555g"] {
      #expect(throws: AppStoreServerError.badRequest(.badAccountToken)) {
        try APIRequest.setAppAccountToken(token, for: "1")
      }
    }
    for days in [0, 91] {
      #expect(throws: RequestFault.extendByDaysOutOfRange) {
        try ExtendRenewal(days: days, reason: .other, requestIdentifier: "r")
      }
    }
    for identifier in ["", String(repeating: "x", count: 129)] {
      #expect(throws: RequestFault.badRequestIdentifier) {
        try ExtendRenewal(days: 1, reason: .other, requestIdentifier: identifier)
      }
    }
    #expect(throws: RequestFault.noStorefronts) {
      try MassExtendRenewals(
        productId: "p", ExtendRenewal(days: 1, reason: .other, requestIdentifier: "r"),
        storefrontCountryCodes: [])
    }
    #expect(throws: RequestFault.emptyIdentifier("productId")) {
      try MassExtendRenewals(
        productId: "", ExtendRenewal(days: 1, reason: .other, requestIdentifier: "r"))
    }
  }

  @Test(arguments: [
    ("a/b?c#d", "a%2Fb%3Fc%23d"), ("..", "%2E%2E"), ("ü\n", "%C3%BC%0A"), ("1.2-3_4~", "1.2-3_4~"),
  ])
  func `an id cannot change the path`(id: String, segment: String) throws {
    #expect(try APIRequest.transactionInfo(id).target == "/inApps/v1/transactions/" + segment)
  }

  @Test func `every fault says what and advises`() {
    let faults: [RequestFault] = [
      .emptyIdentifier("x"), .emptyWindow, .extendByDaysOutOfRange, .badRequestIdentifier,
      .noStorefronts, .badAccountToken, .productionOnly,
    ]
    #expect(Set(faults.map(\.description)).count == faults.count)
    #expect(faults.allSatisfy { !$0.advice.isEmpty && !$0.isTransient })
  }
}
