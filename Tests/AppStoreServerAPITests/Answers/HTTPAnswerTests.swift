import AppStoreModel
import Testing

@testable import AppStoreServerAPI

struct HTTPAnswerTests {
  @Test(arguments: [
    (502, "<html><body>Bad Gateway</body></html>"), (401, "Unauthenticated"), (500, ""),
    (404, "{}"), (400, #"{"errorCode":"4000006"}"#), (503, "null"), (500, #"{"errorCode":1.5}"#),
  ])
  func `a body without Apple's error object leaves the status to tell`(status: Int, body: String) {
    let answer = HTTPAnswer(status: status, body: Array(body.utf8))
    #expect(answer.refusal == .unexpectedStatus(status))
  }

  @Test func `Apple's error object is read, and its words are kept out of the log`() {
    let error = HTTPAnswer.json(
      #"{"errorCode":4040010,"errorMessage":"Transaction id 123 not found."}"#, status: 404
    ).refusal
    let refusal = AppleRefusal(
      status: 404, code: .transactionIdNotFound, message: "Transaction id 123 not found.")
    #expect(error == .refused(refusal))
    #expect(error.description == "App Store error 4040010, transactionIdNotFound")
    #expect(refusal.debugDescription.hasSuffix(": Transaction id 123 not found."))
  }

  @Test func `an unknown number is kept`() {
    #expect(HTTPAnswer.error(4_090_123).refusal.code == .unknown(4_090_123))
    #expect(
      HTTPAnswer.error(4_090_123).refusal.description
        == "App Store error 4090123, unknown to us")
  }

  @Test(arguments: [
    ("Sun, 06 Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37Z"),
    ("Thu, 29 Feb 2024 23:59:59 GMT", "2024-02-29T23:59:59Z"),
    ("Thu, 29 Feb 2023 23:59:59 GMT", nil), ("Sunday, 06-Nov-94 08:49:37 GMT", nil),
    ("Sun, 06 Nov 1994 08:49:37 CET", nil), ("Sun, 06 Foo 1994 08:49:37 GMT", nil), ("", nil),
    ("1790000000000", nil),
  ])
  func `a date is read in its one form`(text: String, moment: String?) {
    #expect(HTTPDate.moment(text)?.rfc3339 == moment)
  }

  /// Seconds after the server's date: question sent, answer read, and our clock's skew in milliseconds.
  @Test(arguments: [
    (0, 0, 0), (-1, 0, 0), (0, 30, 0), (-600, 600, 0), (34, 34, -33_001), (34, 64, -33_001),
    (-34, -34, 34_000), (-64, -34, 34_000),
  ])
  func `only what no moment of the exchange explains is a skew`(
    asked: Int64, answered: Int64, milliseconds: Int64
  ) {
    let date = TurningClock.start
    var answer = HTTPAnswer(status: 401, date: date)
    answer.exchange = date.adding(.seconds(asked))...date.adding(.seconds(answered))
    #expect(answer.skew == TimeSpan(milliseconds: milliseconds))
  }

  @Test func `without a date, and beyond all dates, there is no skew`() {
    let now = TurningClock.start
    var answer = HTTPAnswer(status: 401)
    answer.exchange = now...now
    #expect(answer.skew == nil)
    #expect(HTTPAnswer(status: 401, date: now).skew == nil)
    var ancient = HTTPAnswer(status: 401, date: .distantPast)
    ancient.exchange = .distantFuture...(.distantFuture)
    #expect(ancient.skew == nil)
  }
}
