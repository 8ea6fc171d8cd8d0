internal import CCurl
import Glibc

extension HTTPConnection {
  /// Waits until somebody listens at an address: a server that was started a moment ago.
  ///
  /// Only a refused connection is waited for; whatever else is wrong, the first request will tell.
  ///
  /// - Parameters:
  ///   - url: whose host and port are meant.
  ///   - seconds: how long at most.
  /// - Throws: ``PostingFailure/unavailable`` when libcurl cannot be used.
  package static func waitForListener(
    at url: String, seconds: Int
  ) throws(PostingFailure) {
    let connection = try HTTPConnection()
    connection.set(CURLOPT_CONNECT_ONLY, 1)
    url.withCString { _ = ccurl_set_pointer(connection.curl, CURLOPT_URL, $0) }
    for _ in 0..<(10 * seconds) {
      guard curl_easy_perform(connection.curl) == CURLE_COULDNT_CONNECT else { return }
      usleep(100_000)
    }
  }
}
