internal import CCurl

/// Speaks HTTP with servers, one request after the other.
///
/// It keeps its connection between two requests. One thread at a time may use it.
package final class HTTPConnection {
  package struct Answer: Sendable {
    package let status: Int
    package let body: [UInt8]
  }

  let curl: UnsafeMutableRawPointer
  private let received = Received()

  /// Prepares requests.
  ///
  /// - Parameters:
  ///   - timeoutMilliseconds: how long one request may take.
  ///   - authorities: a PEM file of whom to believe a server's name; `nil` for those of the system.
  /// - Throws: ``PostingFailure/unavailable`` when libcurl cannot be used.
  package init(
    timeoutMilliseconds: Int = 30_000, authorities: String? = nil
  ) throws(PostingFailure) {
    guard curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK, let curl = curl_easy_init() else {
      throw .unavailable
    }
    self.curl = curl
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_TIMEOUT_MS, timeoutMilliseconds)
    set(CURLOPT_CONNECTTIMEOUT_MS, min(timeoutMilliseconds, 5_000))
    authorities?.withCString { _ = ccurl_set_pointer(curl, CURLOPT_CAINFO, $0) }
    _ = ccurl_restrict_to_http(curl)
    _ = ccurl_set_writer(curl, collect, Unmanaged.passUnretained(received).toOpaque())
  }

  deinit { curl_easy_cleanup(curl) }

  /// Asks for something.
  package func get(_ url: String, headers: [String] = []) throws(PostingFailure) -> Answer {
    set(CURLOPT_HTTPGET, 1)
    return try perform(url, headers)
  }

  /// Posts JSON.
  package func post(
    _ body: String, to url: String, headers: [String] = []
  ) throws(PostingFailure) -> Answer {
    set(CURLOPT_POST, 1)
    set(CURLOPT_POSTFIELDSIZE, body.utf8.count)
    body.withCString { _ = ccurl_copy_body(curl, $0) }
    return try perform(url, ["Content-Type: application/json", "Expect:"] + headers)
  }

  /// Puts JSON.
  package func put(
    _ body: String, to url: String, headers: [String] = []
  ) throws(PostingFailure) -> Answer {
    "PUT".withCString { _ = ccurl_set_pointer(curl, CURLOPT_CUSTOMREQUEST, $0) }
    defer { _ = ccurl_set_pointer(curl, CURLOPT_CUSTOMREQUEST, nil) }
    return try post(body, to: url, headers: headers)
  }

  private func perform(_ url: String, _ headers: [String]) throws(PostingFailure) -> Answer {
    var list: UnsafeMutablePointer<curl_slist>?
    for header in headers { list = curl_slist_append(list, header) }
    defer { curl_slist_free_all(list) }
    _ = ccurl_set_pointer(curl, CURLOPT_HTTPHEADER, list)
    url.withCString { _ = ccurl_set_pointer(curl, CURLOPT_URL, $0) }
    received.bytes = []
    received.isTooLong = false
    let code = curl_easy_perform(curl)
    guard !received.isTooLong else { throw .answerTooLong(mebibytes: Received.limit >> 20) }
    guard code == CURLE_OK else { throw .noAnswer(String(cString: curl_easy_strerror(code))) }
    var status = 0
    _ = ccurl_response_status(curl, &status)
    return Answer(status: status, body: received.bytes)
  }

  func set(_ option: CURLoption, _ value: Int) {
    _ = ccurl_set_long(curl, option, value)
  }
}

/// Why there is no status.
package enum PostingFailure: Error, Hashable, Sendable {
  case unavailable
  /// Shape: libcurl's own words.
  case noAnswer(String)
  /// The rest was not read.
  case answerTooLong(mebibytes: Int)
}

extension PostingFailure: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unavailable: "libcurl cannot be used."
    case .noAnswer(let words): "The server gave no answer: \(words)."
    case .answerTooLong(let limit): "The server's answer is longer than \(limit) MiB."
    }
  }
}

private final class Received {
  static let limit = 16 << 20

  var bytes: [UInt8] = []
  var isTooLong = false
}

private let collect:
  @convention(c) (UnsafeMutablePointer<CChar>?, Int, Int, UnsafeMutableRawPointer?) -> Int = {
    start, size, count, context in
    guard let context, let start else { return 0 }
    let received = Unmanaged<Received>.fromOpaque(context).takeUnretainedValue()
    let bytes = UnsafeRawBufferPointer(start: start, count: size * count)
    guard bytes.count <= Received.limit - received.bytes.count else {
      received.isTooLong = true
      return 0
    }
    received.bytes.append(contentsOf: bytes)
    return size * count
  }
