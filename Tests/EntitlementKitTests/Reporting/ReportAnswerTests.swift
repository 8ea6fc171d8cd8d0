import AppStoreModel
import EntitlementKit
import Testing

/// What becomes of a request of two texts, by whatever answers it.
struct ReportAnswerTests {
  typealias Outcome = ReportQueue.Outcome

  struct Row: Sendable, CustomTestStringConvertible {
    let what: String
    let answer: ReportAnswer
    let outcome: Outcome

    init(
      _ what: String, _ status: Int? = nil, _ body: String = "", retryAfter: String? = nil,
      isRedirected: Bool = false, failure: Int? = nil, gives outcome: Outcome
    ) {
      self.what = what
      var answer = ReportAnswer(status, body)
      answer.retryAfter = retryAfter
      answer.isRedirected = isRedirected
      answer.failure = failure
      self.answer = answer
      self.outcome = outcome
    }

    var testDescription: String { what }
  }

  private static func results(_ words: String...) -> String {
    #"{"results":[\#(words.joined(separator: ","))]}"#
  }

  private static func problem(_ status: Int, _ code: String) -> String {
    #"{"type":"/problems/\#(code)","title":"t","status":\#(status),"code":"\#(code)"}"#
  }

  private static let stored = #"{"result":"stored"}"#
  private static func refused(_ reason: String) -> String {
    #"{"result":"refused","reason":"\#(reason)"}"#
  }
  private static let page = "<!DOCTYPE html><html><title>Sign in to the network</title></html>"

  @Test(arguments: [
    Row("both stored", 200, results(stored, stored), gives: .taken),
    Row("one known before", 200, results(stored, #"{"result":"repeated"}"#), gives: .taken),
    Row(
      "a word of a later version", 200, results(stored, #"{"result":"deferred"}"#), gives: .taken),
    Row("moved, and taken there", 200, results(stored, stored), isRedirected: true, gives: .taken),
    Row(
      "one of the other environment", 200, results(stored, refused("environmentForbidden")),
      gives: .takenExcept([1: "environmentForbidden"])),
    Row(
      "one forged", 200, results(refused("chain.path"), stored),
      gives: .takenExcept([0: "chain.path"])),
    Row(
      "a reason that is no name", 200, results(refused("<b>eyJ…</b>"), stored),
      gives: .takenExcept([0: "unknown"])),
    Row("too few results", 200, results(stored), gives: .troubled(.strangeAnswer("HTTP 200"))),
    Row("no word", 200, results(stored, "{}"), gives: .troubled(.strangeAnswer("HTTP 200"))),
  ])
  func `only the server's own words take a report`(row: Row) {
    #expect(row.answer.outcome(of: 2) == row.outcome)
  }

  @Test(arguments: [
    Row("a portal's page", 200, page, gives: .troubled(.strangeAnswer("HTTP 200"))),
    Row(
      "a portal's page after a redirect", 200, page, isRedirected: true,
      gives: .troubled(.strangeAnswer("HTTP 200"))),
    Row(
      "another program's JSON", 200, #"{"ok":true}"#, gives: .troubled(.strangeAnswer("HTTP 200"))),
    Row("nothing", 204, gives: .troubled(.strangeAnswer("HTTP 204"))),
    Row("a redirect that is not followed", 302, page, gives: .troubled(.strangeAnswer("HTTP 302"))),
    Row(
      "POST became GET by a redirect", 405, problem(405, "methodNotAllowed"), isRedirected: true,
      gives: .troubled(.strangeAnswer("HTTP 405 after a redirect"))),
    Row(
      "the key was lost by a redirect", 401, problem(401, "unauthenticated"), isRedirected: true,
      gives: .troubled(.strangeAnswer("HTTP 401 after a redirect"))),
    Row(
      "another program's 400", 400, #"{"error":"bad"}"#,
      gives: .troubled(.strangeAnswer("HTTP 400"))),
    Row("a proxy's 400", 400, page, gives: .troubled(.strangeAnswer("HTTP 400"))),
    Row(
      "a document about another status", 400, problem(422, "tooManyItems"),
      gives: .troubled(.strangeAnswer("HTTP 400"))),
    Row("a proxy wants its own password", 407, page, gives: .troubled(.strangeAnswer("HTTP 407"))),
    Row("a teapot", 418, gives: .troubled(.strangeAnswer("HTTP 418"))),
    Row(
      "a certificate that nobody trusts", failure: -1202,
      gives: .troubled(.strangeAnswer("NSURLError -1202"))),
    Row("a circle", failure: -1007, gives: .troubled(.strangeAnswer("NSURLError -1007"))),
  ])
  func `what somebody else answers takes and refuses nothing, and is told`(row: Row) {
    #expect(row.answer.outcome(of: 2) == row.outcome)
  }

  @Test(arguments: [
    Row(
      "an unknown key", 401, problem(401, "unauthenticated"),
      gives: .troubled(.keyRefused("unauthenticated"))),
    Row("a proxy's 401", 401, page, gives: .troubled(.keyRefused("HTTP 401"))),
    Row(
      "a key of another scope", 403, problem(403, "scopeMissing"),
      gives: .troubled(.keyRefused("scopeMissing"))),
    Row("a firewall's 403", 403, page, gives: .troubled(.keyRefused("HTTP 403"))),
    Row(
      "another path", 404, problem(404, "unknownRoute"),
      gives: .troubled(.wrongAddress("unknownRoute"))),
    Row("another server", 404, page, gives: .troubled(.wrongAddress("HTTP 404"))),
    Row("a folder of files", 405, page, gives: .troubled(.wrongAddress("HTTP 405"))),
    Row("gone", 410, gives: .troubled(.wrongAddress("HTTP 410"))),
    Row("another host's certificate", 421, gives: .troubled(.wrongAddress("HTTP 421"))),
    Row("no URL", failure: -1000, gives: .troubled(.wrongAddress("NSURLError -1000"))),
    Row("no HTTP", failure: -1002, gives: .troubled(.wrongAddress("NSURLError -1002"))),
    Row(
      "no TLS where it must be", failure: -1022, gives: .troubled(.wrongAddress("NSURLError -1022"))
    ),
    Row("a name misspelled", failure: -1003, gives: .troubled(.unknownHost)),
  ])
  func `a wrong key and a wrong address are told as what they are`(row: Row) {
    #expect(row.answer.outcome(of: 2) == row.outcome)
  }

  @Test(arguments: [
    Row(
      "a body over the server's limit", 413, problem(413, "bodyTooLarge"),
      gives: .refused(.tooLarge)),
    Row("a body over a proxy's limit", 413, page, gives: .refused(.tooLarge)),
    Row(
      "a body of another form", 400, problem(400, "malformedBody"),
      gives: .refused(.textRefused("malformedBody"))),
    Row(
      "too many", 422, problem(422, "tooManyItems"), gives: .refused(.textRefused("tooManyItems"))),
  ])
  func `what is refused whole is tried in parts`(row: Row) {
    #expect(row.answer.outcome(of: 2) == row.outcome)
  }

  @Test(arguments: [
    Row("offline", gives: .failed(retryAfter: nil)),
    Row("offline, by its number", failure: -1009, gives: .failed(retryAfter: nil)),
    Row("a connection that is refused", failure: -1004, gives: .failed(retryAfter: nil)),
    Row(
      "too often", 429, problem(429, "rateLimited"), retryAfter: "7",
      gives: .failed(retryAfter: .seconds(7))),
    Row(
      "a date", 429, retryAfter: "Wed, 21 Oct 2026 07:28:00 GMT", gives: .failed(retryAfter: nil)),
    Row("far too long", 503, retryAfter: "999999999999", gives: .failed(retryAfter: .days(1))),
    Row("before now", 503, retryAfter: "-5", gives: .failed(retryAfter: .zero)),
    Row("a proxy without a server", 502, page, gives: .failed(retryAfter: nil)),
    Row(
      "the same after a redirect", 502, page, isRedirected: true, gives: .failed(retryAfter: nil)),
    Row("a proxy that waited", 504, page, gives: .failed(retryAfter: nil)),
    Row("a sign-in is wanted", 511, page, gives: .failed(retryAfter: nil)),
    Row(
      "a store that is gone", 503, problem(503, "storeUnavailable"), gives: .failed(retryAfter: nil)
    ),
    Row("too slow", 408, gives: .failed(retryAfter: nil)),
  ])
  func `what passes by itself is tried again in silence`(row: Row) {
    #expect(row.answer.outcome(of: 2) == row.outcome)
  }

  @Test(arguments: [
    (ReportingProblem.keyRefused("unauthenticated"), false, "unauthenticated"),
    (.keyRefused("appForbidden"), false, "appForbidden"),
    (.keyRefused("environmentForbidden"), false, "environmentForbidden"),
    (.wrongAddress("HTTP 404"), false, "HTTP 404"), (.unknownHost, true, "not known"),
    (.strangeAnswer("HTTP 200"), true, "HTTP 200"), (.tooLarge, false, "larger"),
    (.textRefused("chain.path"), false, "chain.path"),
  ])
  func `each problem says whether it passes, and what to do`(
    problem: ReportingProblem, isTransient: Bool, word: String
  ) {
    #expect(problem.isTransient == isTransient)
    #expect("\(problem)".contains(word))
    #expect(problem.advice.hasSuffix("."))
  }
}
