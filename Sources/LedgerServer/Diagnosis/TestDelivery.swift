import AppStoreModel
import AppStoreServerAPI
import AppStoreVerification

/// What became of a test notification: Apple's side and ours.
struct TestDelivery: Hashable, Sendable {
  /// Apple's attempts to deliver it, as it reports them.
  var attempts: [SendAttempt] = []
  /// When our own endpoint stored it; `nil` when it did not.
  var arrivedAt: Timestamp?
  /// Why our configuration refuses what Apple signed; `nil` when it verifies or nothing came.
  var refusal: VerificationError?
  /// How much later than now Apple says that it signed it; `nil` before it was seen.
  var lead: TimeSpan?
  /// Whether Apple showed the notification at all.
  var isShown = false
  /// How long was waited.
  var waited = TimeSpan.zero

  /// Whether waiting longer can tell nothing more.
  func isSettled(patience: TimeSpan) -> Bool {
    if waited >= patience { return true }
    guard let last = attempts.last else { return false }
    return last.result != .success || arrivedAt != nil || refusal != nil
  }

  func finding(about subject: String) -> Finding {
    if let refusal {
      return failed(
        subject, Finding.sentence("what Apple signed is refused here: \(refusal)"), refusal.advice)
    }
    guard let last = attempts.last else { return withoutAttempt(subject) }
    guard last.result == .success else {
      return failed(
        subject, Finding.sentence("Apple could not deliver it: \(last.result.meaning)"),
        last.result.advice)
    }
    guard arrivedAt != nil else {
      return failed(
        subject, "Apple delivered it, and not to this server: somebody else answered 200.",
        "Compare the URL in App Store Connect with this server's; a forwarding receiver has to pass "
          + "the body on unchanged.")
    }
    return Finding(
      .testNotification, .ok, about: subject,
      "Apple's test notification was signed, delivered, verified and stored.")
  }

  private func withoutAttempt(_ subject: String) -> Finding {
    let seconds = waited.milliseconds / 1_000
    if arrivedAt != nil {
      return Finding(
        .testNotification, .ok, about: subject,
        "The test notification arrived; Apple has not reported its attempt within \(seconds) s.")
    }
    let text =
      isShown
      ? "Apple reported no attempt to deliver it within \(seconds) s."
      : "Apple did not send it within \(seconds) s."
    return Finding(
      .testNotification, .warning, about: subject, text,
      advice: "Run doctor again with a longer --wait.")
  }

  private func failed(_ subject: String, _ text: String, _ advice: String) -> Finding {
    Finding(.testNotification, .failed, about: subject, text, advice: advice)
  }
}

extension SendAttemptResult {
  /// What Apple met, in words of ours.
  fileprivate var meaning: String {
    switch self {
    case .success: "it was delivered"
    case .timedOut: "this server did not answer in time (TIMED_OUT)"
    case .tlsIssue: "the certificate or the handshake was not accepted (TLS_ISSUE)"
    case .circularRedirect: "the address redirects in a circle (CIRCULAR_REDIRECT)"
    case .noResponse: "the connection gave no answer (NO_RESPONSE)"
    case .socketIssue: "no connection could be made (SOCKET_ISSUE)"
    case .unsupportedCharset: "the answer's character set is unknown (UNSUPPORTED_CHARSET)"
    case .invalidResponse: "the answer was no HTTP (INVALID_RESPONSE)"
    case .prematureClose: "the connection was closed too early (PREMATURE_CLOSE)"
    case .unsuccessfulHTTPResponseCode:
      "the answer was not 200 to 206 (UNSUCCESSFUL_HTTP_RESPONSE_CODE)"
    case .other: "a reason that Apple does not name (OTHER)"
    case .unknown(let word): "\(word), a word that this version does not know"
    }
  }

  fileprivate var advice: String {
    switch self {
    case .success, .other, .unknown: "Run doctor again; if it stays, look at the proxy's log."
    case .timedOut, .noResponse:
      "Check that the proxy passes requests on to the address where this server listens."
    case .tlsIssue:
      "Serve a certificate of a public authority, with its intermediates, and TLS 1.2 or later."
    case .circularRedirect: "Enter the final https address in App Store Connect."
    case .socketIssue: "Check the host name, the firewall and the port; Apple connects to 443."
    case .unsupportedCharset, .invalidResponse, .prematureClose:
      "Look at what stands between Apple and this server: the answer is not ours."
    case .unsuccessfulHTTPResponseCode:
      "Look at the log and at 'clawback quarantine list'; a path other than /apple/notifications "
        + "answers 404."
    }
  }
}
