import AppStoreModel
import CCurl

/// One request on its way; used by one thread alone.
final class CurlTransfer {
  let handle: UnsafeMutableRawPointer
  let ticket: CurlLoop.Ticket
  private let ending: CurlLoop.Ending
  private let received: CurlReception
  private var headers: UnsafeMutablePointer<curl_slist>?

  /// Prepares a request; `nil` when libcurl cannot be used.
  init?(
    _ call: HTTPCall, _ ticket: CurlLoop.Ticket, _ settings: TransportSettings,
    _ ending: CurlLoop.Ending
  ) {
    guard let handle = curl_easy_init() else { return nil }
    self.handle = handle
    self.ticket = ticket
    self.ending = ending
    received = CurlReception(limit: settings.largestAnswer)
    guard apply(settings, call), apply(call) else { return nil }
  }

  deinit {
    curl_easy_cleanup(handle)
    curl_slist_free_all(headers)
  }

  func end(_ result: Result<HTTPAnswer, TransportFailure>) {
    ending.resume(returning: result)
  }

  func result(_ code: CURLcode) -> Result<HTTPAnswer, TransportFailure> {
    guard code == CURLE_OK else { return .failure(received.failure(code)) }
    var status = 0
    _ = ccurl_response_status(handle, &status)
    return .success(received.answer(status: status))
  }

  /// What holds for every request; none of it may be missing.
  private func apply(_ settings: TransportSettings, _ call: HTTPCall) -> Bool {
    let isPlain = call.url.hasPrefix("http:")
    let timeout = min(settings.timeout, call.timeout)
    var isGood =
      set(CURLOPT_NOSIGNAL, 1)
      && set(CURLOPT_CONNECTTIMEOUT_MS, max(Int(settings.connectTimeout.milliseconds), 1))
      && set(CURLOPT_TIMEOUT_MS, max(Int(timeout.milliseconds), 1))
      && set(CURLOPT_FOLLOWLOCATION, 0)
      // On a connection that the other side just closed, libcurl sends again by itself.
      && set(CURLOPT_FRESH_CONNECT, call.mayBeRepeated ? 0 : 1)
      && set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
      && set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
      && set(CURLOPT_PATH_AS_IS, 1)
      // A name that is still being looked up when a call ends is left to its thread: other calls go on.
      && set(CURLOPT_QUICK_EXIT, 1)
      // An empty name keeps the environment's proxies out.
      && set(CURLOPT_PROXY, settings.proxy ?? "")
      && set(CURLOPT_ACCEPT_ENCODING, "")
      && set(CURLOPT_PROTOCOLS_STR, isPlain ? "http" : "https")
    if let file = settings.certificateFile { isGood = isGood && set(CURLOPT_CAINFO, file) }
    let context = Unmanaged.passUnretained(received).toOpaque()
    return isGood && ccurl_set_writer(handle, takeBody, context) == CURLE_OK
      && ccurl_set_header_reader(handle, takeHeader, context) == CURLE_OK
  }

  private func apply(_ call: HTTPCall) -> Bool {
    for header in call.headers + ["Expect:"] { headers = curl_slist_append(headers, header) }
    var isGood =
      ccurl_set_pointer(handle, CURLOPT_HTTPHEADER, headers) == CURLE_OK
      && set(CURLOPT_URL, call.url)
    if let body = call.body ?? (call.method == "GET" ? nil : []) {
      isGood =
        isGood && set(CURLOPT_POSTFIELDSIZE, body.count)
        && ccurl_copy_body_bytes(handle, body) == CURLE_OK
    }
    return isGood && (call.method == "GET" || set(CURLOPT_CUSTOMREQUEST, call.method))
  }

  private func set(_ option: CURLoption, _ value: Int) -> Bool {
    ccurl_set_long(handle, option, value) == CURLE_OK
  }

  /// libcurl copies texts.
  private func set(_ option: CURLoption, _ text: String) -> Bool {
    text.withCString { ccurl_set_pointer(handle, option, $0) } == CURLE_OK
  }
}

private typealias CurlCallback =
  @convention(c) (UnsafeMutablePointer<CChar>?, Int, Int, UnsafeMutableRawPointer?) -> Int

private let takeBody: CurlCallback = { start, size, count, context in
  guard let start, let context else { return 0 }
  let bytes = UnsafeRawBufferPointer(start: start, count: size * count)
  let received = Unmanaged<CurlReception>.fromOpaque(context).takeUnretainedValue()
  return received.takeBody(bytes) ? bytes.count : 0
}

private let takeHeader: CurlCallback = { start, size, count, context in
  guard let start, let context else { return 0 }
  let bytes = UnsafeRawBufferPointer(start: start, count: size * count)
  Unmanaged<CurlReception>.fromOpaque(context).takeUnretainedValue().takeHeader(bytes)
  return bytes.count
}
