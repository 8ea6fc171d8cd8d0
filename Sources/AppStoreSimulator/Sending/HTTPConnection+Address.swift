internal import CCurl

/// Why an address is none that can be posted to.
package enum AddressFault: Error, Hashable, Sendable {
  case otherScheme
  /// A space, a control character, or a letter outside ASCII.
  case notEncoded
  /// Shape: libcurl's own words.
  case unreadable(String)

  /// What it should be instead.
  ///
  /// Shape: a clause that begins with an article.
  package var expected: String {
    switch self {
    case .otherScheme: "a URL that begins with http:// or https://"
    case .notEncoded:
      "a URL without spaces and letters outside ASCII: write %20 for a space, and likewise for others"
    case .unreadable(let words):
      "a URL such as http://127.0.0.1:8080/apple/notifications, and this is none (\(words))"
    }
  }
}

extension HTTPConnection {
  /// What is wrong with an address, by the library that would connect to it; `nil` where it can be used.
  package static func fault(in url: String) -> AddressFault? {
    guard url.hasPrefix("http://") || url.hasPrefix("https://") else { return .otherScheme }
    guard url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return .notEncoded }
    guard let handle = curl_url() else { return nil }
    defer { curl_url_cleanup(handle) }
    let code = curl_url_set(handle, CURLUPART_URL, url, 0)
    return code == CURLUE_OK ? nil : .unreadable(String(cString: curl_url_strerror(code)))
  }
}
