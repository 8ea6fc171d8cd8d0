internal import CCurl

/// Posts notifications to a server, as the App Store does.
///
/// It keeps its connection between two posts. One thread at a time may use it.
package final class NotificationPoster {
  private let handle: OpaquePointer
  private var headers: UnsafeMutablePointer<curl_slist>?

  /// Prepares posts to one address.
  ///
  /// - Parameters:
  ///   - url: where to; `http` or `https`.
  ///   - timeoutMilliseconds: how long one post may take.
  /// - Throws: ``PostingFailure`` when libcurl cannot be used.
  package init(url: String, timeoutMilliseconds: Int = 30_000) throws(PostingFailure) {
    guard curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK, let handle = curl_easy_init() else {
      throw .unavailable
    }
    self.handle = OpaquePointer(handle)
    headers = curl_slist_append(nil, "Content-Type: application/json")
    headers = curl_slist_append(headers, "Expect:")
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_TIMEOUT_MS, timeoutMilliseconds)
    set(CURLOPT_CONNECTTIMEOUT_MS, min(timeoutMilliseconds, 5_000))
    set(CURLOPT_POST, 1)
    url.withCString { _ = ccurl_set_pointer(curl, CURLOPT_URL, $0) }
    _ = ccurl_set_pointer(curl, CURLOPT_HTTPHEADER, headers)
    _ = ccurl_restrict_to_http(curl)
    _ = ccurl_set_writer(curl, discard, nil)
  }

  deinit {
    curl_slist_free_all(headers)
    curl_easy_cleanup(curl)
  }

  /// Posts one notification and waits for the answer's status.
  ///
  /// - Parameter signedPayload: a compact JWS.
  /// - Returns: the HTTP status.
  /// - Throws: ``PostingFailure/noAnswer(_:)`` when there is no whole answer.
  package func post(_ signedPayload: String) throws(PostingFailure) -> Int {
    var body = "{\"signedPayload\":\"\(signedPayload)\"}"
    let code = body.withUTF8 { bytes in
      set(CURLOPT_POSTFIELDSIZE, bytes.count)
      _ = ccurl_set_pointer(curl, CURLOPT_POSTFIELDS, bytes.baseAddress)
      return curl_easy_perform(curl)
    }
    guard code == CURLE_OK else { throw .noAnswer(String(cString: curl_easy_strerror(code))) }
    var status = 0
    _ = ccurl_response_status(curl, &status)
    return status
  }

  /// Whether the App Store would take a status for a receipt.
  package static func isAccepted(_ status: Int) -> Bool { (200...206).contains(status) }

  private var curl: UnsafeMutableRawPointer { UnsafeMutableRawPointer(handle) }

  private func set(_ option: CURLoption, _ value: Int) {
    _ = ccurl_set_long(curl, option, value)
  }
}

/// Why there is no status.
package enum PostingFailure: Error, Hashable, Sendable {
  case unavailable
  /// Shape: libcurl's own words.
  case noAnswer(String)
}

extension PostingFailure: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unavailable: "libcurl cannot be used."
    case .noAnswer(let words): "The server gave no answer: \(words)."
    }
  }
}

private let discard:
  @convention(c) (
    UnsafeMutablePointer<CChar>?, Int, Int, UnsafeMutableRawPointer?
  ) -> Int = { _, size, count, _ in size * count }
