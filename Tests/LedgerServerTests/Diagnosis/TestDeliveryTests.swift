import AppStoreModel
import AppStoreServerAPI
import AppStoreVerification
import Testing

@testable import LedgerServer

/// What a test notification's fate tells, in plain words.
struct TestDeliveryTests {
  private static let moment = Timestamp(millisecondsSince1970: 1_790_000_000_000)

  private static func delivery(
    _ results: [SendAttemptResult], arrived: Bool = false, refusal: VerificationRule? = nil,
    shown: Bool = true, waited: Int64 = 4
  ) -> TestDelivery {
    var delivery = TestDelivery()
    delivery.attempts = results.map { SendAttempt(moment, $0) }
    delivery.arrivedAt = arrived ? moment : nil
    delivery.refusal = refusal.map { VerificationError($0, in: .notification) }
    delivery.isShown = shown
    delivery.waited = .seconds(waited)
    return delivery
  }

  @Test(
    arguments: [
      ([.success], true, nil, .ok, "signed, delivered, verified and stored", nil),
      ([.success], false, nil, .failed, "not to this server", "URL in App Store Connect"),
      ([.tlsIssue], false, nil, .failed, "TLS_ISSUE", "public authority"),
      ([.socketIssue], false, nil, .failed, "SOCKET_ISSUE", "firewall"),
      ([.timedOut], false, nil, .failed, "TIMED_OUT", "proxy"),
      ([.noResponse], false, nil, .failed, "NO_RESPONSE", "proxy"),
      ([.circularRedirect], false, nil, .failed, "CIRCULAR_REDIRECT", "final https address"),
      (
        [.unsuccessfulHTTPResponseCode], false, nil, .failed, "not 200 to 206",
        "quarantine list"
      ),
      ([.unsupportedCharset], false, nil, .failed, "UNSUPPORTED_CHARSET", "not ours"),
      ([.invalidResponse], false, nil, .failed, "INVALID_RESPONSE", "not ours"),
      ([.prematureClose], false, nil, .failed, "PREMATURE_CLOSE", "not ours"),
      ([.other], false, nil, .failed, "OTHER", "proxy's log"),
      ([.unknown("GREMLINS")], false, nil, .failed, "GREMLINS", "proxy's log"),
      ([.timedOut, .success], true, nil, .ok, "stored", nil),
      ([.success], true, .chainPath, .failed, "chain.path", ""),
      ([], true, nil, .ok, "has not reported its attempt", nil),
      ([], false, nil, .warning, "no attempt to deliver it within 4 s", "--wait"),
    ] as [([SendAttemptResult], Bool, VerificationRule?, Finding.Level, String, String?)])
  func `what became of it is said with the next step`(
    results: [SendAttemptResult], arrived: Bool, refusal: VerificationRule?, level: Finding.Level,
    text: String, advice: String?
  ) {
    let finding = Self.delivery(results, arrived: arrived, refusal: refusal).finding(about: "app")
    #expect(finding.level == level)
    #expect(finding.text.contains(text))
    #expect((finding.advice == nil) == (advice == nil))
    #expect(finding.advice?.contains(advice ?? "") ?? true)
  }

  @Test func `a notification that was not even shown was not sent`() {
    let finding = Self.delivery([], shown: false).finding(about: "app")
    #expect(finding.text == "Apple did not send it within 4 s.")
  }

  @Test(
    arguments: [
      ([], false, 4, false), ([], true, 4, false), ([], false, 60, true),
      ([.success], false, 4, false), ([.success], true, 4, true), ([.tlsIssue], false, 4, true),
    ] as [([SendAttemptResult], Bool, Int64, Bool)])
  func `waiting ends when nothing more can be told`(
    results: [SendAttemptResult], arrived: Bool, waited: Int64, isSettled: Bool
  ) {
    let delivery = Self.delivery(results, arrived: arrived, waited: waited)
    #expect(delivery.isSettled(patience: .seconds(60)) == isSettled)
  }
}
