import AppStoreModel
import CCurl

/// What has come of an answer.
final class CurlReception {
  private let limit: Int
  private var body: [UInt8] = []
  private var isTooLarge = false
  private var date: Timestamp?
  private var retryAfter: String?

  init(limit: Int) {
    self.limit = limit
  }

  /// `false` when it becomes too long, which ends the transfer.
  func takeBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count <= limit - body.count else {
      isTooLarge = true
      return false
    }
    body.append(contentsOf: bytes)
    return true
  }

  func takeHeader(_ line: UnsafeRawBufferPointer) {
    let text = String(decoding: line, as: UTF8.self)
    guard let colon = text.firstIndex(of: ":") else { return beginAgain(text) }
    let value = Self.trimmed(text[text.index(after: colon)...])
    switch text[..<colon].lowercased() {
    case "date": date = HTTPDate.moment(value)
    case "retry-after": retryAfter = value
    default: break
    }
  }

  func answer(status: Int) -> HTTPAnswer {
    HTTPAnswer(status: status, body: body, date: date, retryAfter: retryAfter)
  }

  func failure(_ code: CURLcode) -> TransportFailure {
    let words = String(cString: curl_easy_strerror(code))
    switch code {
    case _ where isTooLarge: return .tooLarge
    case CURLE_OPERATION_TIMEDOUT: return .timedOut
    case CURLE_COULDNT_CONNECT, CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
      return .noConnection(words)
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE,
      CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER:
      return .insecure(words)
    default: return .broken(words)
    }
  }

  /// A second status line follows an interim answer, whose header does not count.
  private func beginAgain(_ line: String) {
    guard line.hasPrefix("HTTP/") else { return }
    date = nil
    retryAfter = nil
  }

  private static func trimmed(_ text: Substring) -> String {
    let isBlank = { (letter: Character) in letter.isWhitespace || letter.isNewline }
    var text = text.drop(while: isBlank)
    while let last = text.last, isBlank(last) { text.removeLast() }
    return String(text)
  }
}
