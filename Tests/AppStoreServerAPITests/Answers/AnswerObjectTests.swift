import AppStoreModel
import AppStoreVerification
import Testing

@testable import AppStoreServerAPI

struct AnswerObjectTests {
  private static func object(_ text: String) throws(AppStoreServerError) -> AnswerObject {
    try AnswerObject(Array(text.utf8))
  }

  @Test func `a history page is read, and members of tomorrow are passed over`() throws {
    let page = try Self.object(
      #"{"revision":"r2","hasMore":true,"bundleId":"b","appAppleId":5,"environment":"Sandbox","#
        + #""signedTransactions":["a.b.c","d.e.f"],"tomorrow":{"x":[1]}}"#
    ).transactionPage()
    #expect(
      page
        == TransactionPage(
          [UnverifiedJWS("a.b.c"), UnverifiedJWS("d.e.f")], revision: "r2", hasMore: true,
          bundleId: "b", appAppleId: 5, environment: .sandbox))
  }

  @Test(arguments: [#"{}"#, #"{"signedTransactions":[]}"#, #"{"revision":null,"hasMore":false}"#])
  func `an empty page is one`(text: String) throws {
    #expect(
      try Self.object(text).transactionPage() == TransactionPage([], revision: nil, hasMore: false))
  }

  @Test func `statuses are read, unknown ones kept`() throws {
    let statuses = try Self.object(
      #"{"environment":"Production","bundleId":"b","appAppleId":5,"data":[{"#
        + #""subscriptionGroupIdentifier":"21","lastTransactions":[{"status":9,"#
        + #""originalTransactionId":"1","signedTransactionInfo":"t","signedRenewalInfo":"r"}]}]}"#
    ).subscriptionStatuses()
    let item = SubscriptionStatuses.Item(
      "1", .unknown(9), signedTransactionInfo: UnverifiedJWS("t"),
      signedRenewalInfo: UnverifiedJWS("r"))
    #expect(
      statuses
        == SubscriptionStatuses(
          [SubscriptionStatuses.Group("21", [item])], bundleId: "b", appAppleId: 5,
          environment: .production))
  }

  @Test func `notifications are read with every try, unknown results kept`() throws {
    let page = try Self.object(
      #"{"notificationHistory":[{"signedPayload":"p","sendAttempts":[{"attemptDate":7,"#
        + #""sendAttemptResult":"TLS_ISSUE"},{"sendAttemptResult":"SSL_ISSUE"}]}],"#
        + #""hasMore":true,"paginationToken":"t"}"#
    ).notificationPage()
    let attempts = [
      SendAttempt(Timestamp(millisecondsSince1970: 7), .tlsIssue),
      SendAttempt(nil, .unknown("SSL_ISSUE")),
    ]
    #expect(
      page
        == NotificationPage(
          [SentNotification(UnverifiedJWS("p"), attempts)], paginationToken: "t", hasMore: true))
  }

  @Test(arguments: [
    "SUCCESS", "TIMED_OUT", "TLS_ISSUE", "CIRCULAR_REDIRECT", "NO_RESPONSE", "SOCKET_ISSUE",
    "UNSUPPORTED_CHARSET", "INVALID_RESPONSE", "PREMATURE_CLOSE",
    "UNSUCCESSFUL_HTTP_RESPONSE_CODE", "OTHER", "NEW",
  ])
  func `a result keeps its word`(word: String) {
    let result = SendAttemptResult(rawValue: word)
    #expect(result.rawValue == word)
    let isUnknown = if case .unknown = result { true } else { false }
    #expect(isUnknown == (word == "NEW"))
  }

  @Test func `an invalid order is an answer, not an error`() throws {
    #expect(try Self.object(#"{"status":1}"#).orderLookup() == OrderLookup(isValid: false, []))
    #expect(
      try Self.object(#"{"status":0,"signedTransactions":["a"]}"#).orderLookup()
        == OrderLookup(isValid: true, [UnverifiedJWS("a")]))
  }

  @Test func `extensions are read`() throws {
    #expect(
      try Self.object(
        #"{"success":true,"originalTransactionId":"1","webOrderLineItemId":"2","effectiveDate":3}"#
      ).extendedRenewal()
        == ExtendedRenewal(
          success: true, originalTransactionId: "1", webOrderLineItemId: "2",
          effectiveDate: Timestamp(millisecondsSince1970: 3)))
    #expect(
      try Self.object(
        #"{"complete":true,"requestIdentifier":"r","completeDate":3,"succeededCount":4,"#
          + #""failedCount":5}"#
      ).massExtensionStatus()
        == MassExtensionStatus(
          isComplete: true, requestIdentifier: "r",
          completeDate: Timestamp(millisecondsSince1970: 3), succeededCount: 4, failedCount: 5))
  }

  @Test(arguments: [
    (#"{"signedTransactions":"a"}"#, "signedTransactions is of another kind"),
    (#"{"signedTransactions":[1]}"#, "signedTransactions is of another kind"),
    (#"{"hasMore":"true"}"#, "hasMore is of another kind"),
    (#"{"revision":5}"#, "revision is of another kind"),
    (#"{"appAppleId":"5"}"#, "appAppleId is of another kind"),
    (#"[]"#, "no object"),
    (#"<html>"#, "not JSON: a value expected at byte 0"),
    (#""#, "not JSON: a value expected at byte 0"),
  ])
  func `a page of another shape is named, without what stood there`(text: String, reason: String) {
    #expect(throws: AppStoreServerError.unreadableAnswer(reason)) {
      try Self.object(text).transactionPage()
    }
  }

  @Test(arguments: [
    (
      #"{"data":[{"lastTransactions":[{"status":1}]}]}"#,
      "data.lastTransactions.originalTransactionId is missing"
    ),
    (#"{"data":[{"lastTransactions":[{}]}]}"#, "data.lastTransactions.status is missing"),
    (#"{"data":[{"lastTransactions":[{"status":5000000000}]}]}"#, "status is out of range"),
    (#"{"data":[7]}"#, "data is no object"),
    (#"{"data":7}"#, "data is of another kind"),
  ])
  func `a status of another shape is named by its path`(text: String, reason: String) {
    #expect(throws: AppStoreServerError.unreadableAnswer(reason)) {
      try Self.object(text).subscriptionStatuses()
    }
  }
}
