import AppStoreModel
import CCrypto
import CCurl
import HTTPListener

/// One delivery on its way; used by one thread alone.
final class CurlDispatch {
  let handle: UnsafeMutableRawPointer
  private let completion: CurlWire.Completion
  private let reception: DispatchReception
  private let startedAt = MonotonicClock.milliseconds
  private var headers: UnsafeMutablePointer<curl_slist>?

  /// Prepares a request; `nil` when libcurl cannot be used.
  init?(
    _ dispatch: Dispatch, _ settings: WireSettings, _ completion: @escaping CurlWire.Completion
  ) {
    guard let handle = curl_easy_init() else { return nil }
    self.handle = handle
    self.completion = completion
    reception = DispatchReception(isTrusted: dispatch.target.isTrusted)
    guard apply(settings, dispatch.target), apply(dispatch) else { return nil }
  }

  deinit {
    curl_easy_cleanup(handle)
    curl_slist_free_all(headers)
  }

  func end(_ code: CURLcode) {
    var status = 0
    var finding = 0
    _ = ccurl_response_status(handle, &status)
    _ = ccurl_certificate_finding(handle, &finding)
    let took = TimeSpan(milliseconds: max(0, MonotonicClock.milliseconds - startedAt))
    completion(
      reception.answer(
        code, finding: Int32(truncatingIfNeeded: finding), status: status, took: took))
  }

  /// What holds for every request; none of it may be missing.
  private func apply(_ settings: WireSettings, _ target: TargetURL) -> Bool {
    var isGood =
      set(CURLOPT_NOSIGNAL, 1)
      && set(CURLOPT_CONNECTTIMEOUT_MS, max(Int(settings.connectTimeout.milliseconds), 1))
      && set(CURLOPT_TIMEOUT_MS, max(Int(settings.timeout.milliseconds), 1))
      && set(CURLOPT_FOLLOWLOCATION, 0)
      && set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
      && set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
      && set(CURLOPT_PATH_AS_IS, 1)
      // A name that is still being looked up when the time is over is left to its thread: waiting for
      // that one would hold up everybody else's deliveries.
      && set(CURLOPT_QUICK_EXIT, 1)
      // An empty name keeps the environment's proxies out.
      && set(CURLOPT_PROXY, "")
      && set(CURLOPT_PROTOCOLS_STR, target.isTrusted ? "http,https" : "https")
    if let file = settings.certificateFile { isGood = isGood && set(CURLOPT_CAINFO, file) }
    let context = Unmanaged.passUnretained(reception).toOpaque()
    return isGood && ccurl_set_writer(handle, takeBody, context) == CURLE_OK
      && ccurl_set_header_reader(handle, takeHeader, context) == CURLE_OK
      && ccurl_set_socket_opener(handle, openSocket, context) == CURLE_OK
  }

  private func apply(_ dispatch: Dispatch) -> Bool {
    for header in dispatch.headers + ["Expect:", "Accept:"] {
      headers = curl_slist_append(headers, header)
    }
    return ccurl_set_pointer(handle, CURLOPT_HTTPHEADER, headers) == CURLE_OK
      && set(CURLOPT_URL, dispatch.target.text)
      && set(CURLOPT_POSTFIELDSIZE, dispatch.body.count)
      && ccurl_copy_body_bytes(handle, dispatch.body) == CURLE_OK
  }

  private func set(_ option: CURLoption, _ value: Int) -> Bool {
    ccurl_set_long(handle, option, value) == CURLE_OK
  }

  /// libcurl copies texts.
  private func set(_ option: CURLoption, _ text: String) -> Bool {
    text.withCString { ccurl_set_pointer(handle, option, $0) } == CURLE_OK
  }
}

/// What has come of an answer.
final class DispatchReception {
  private let isTrusted: Bool
  private var bodyBytes = 0
  private var headerBytes = 0
  private var isCut = false
  private var isForbidden = false
  private var retryAfter: String?

  init(isTrusted: Bool) {
    self.isTrusted = isTrusted
  }

  /// Whether a connection to an address may be made.
  func allows(_ bytes: [UInt8]) -> Bool {
    let isAllowed = IPAddress(bytes)?.isAllowed(trusted: isTrusted) ?? false
    if !isAllowed { isForbidden = true }
    return isAllowed
  }

  /// `false` when enough has been read, which ends the transfer.
  func takeBody(_ count: Int) -> Bool {
    bodyBytes += count
    isCut = bodyBytes > WireSettings.largestAnswer
    return !isCut
  }

  func takeHeader(_ line: UnsafeRawBufferPointer) -> Bool {
    headerBytes += line.count
    let text = String(decoding: line, as: UTF8.self)
    if text.hasPrefix("HTTP/") { retryAfter = nil }
    let name = "retry-after:"
    if text.prefix(name.count).lowercased() == name {
      let value = text.dropFirst(name.count).prefix(64)
      retryAfter = value.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
    return headerBytes <= WireSettings.largestHeader
  }

  /// What a transfer's end means, with OpenSSL's finding on the receiver's certificates; the status is
  /// 0 where there is none.
  func answer(_ code: CURLcode, finding: Int32, status: Int, took: TimeSpan) -> DispatchAnswer {
    guard code != CURLE_OK, !isCut else {
      return DispatchAnswer(status: status, retryAfter: retryAfter, took: took)
    }
    return DispatchAnswer(
      status: status == 0 ? nil : status, failure: failure(code, finding), took: took)
  }

  private func failure(_ code: CURLcode, _ finding: Int32) -> DispatchAnswer.Failure {
    switch code {
    case CURLE_OPERATION_TIMEDOUT: .timedOut
    case CURLE_COULDNT_CONNECT where isForbidden: .forbiddenAddress
    case CURLE_COULDNT_CONNECT, CURLE_COULDNT_RESOLVE_HOST: .noConnection
    case CURLE_PEER_FAILED_VERIFICATION: Self.distrust(finding)
    case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CACERT_BADFILE: .insecure
    default: .broken
    }
  }

  /// OpenSSL judges the chain; libcurl judges the name of a chain that is good, and leaves the finding
  /// unspecified when it is another.
  private static func distrust(_ finding: Int32) -> DispatchAnswer.Failure {
    switch finding {
    case X509_V_OK, X509_V_ERR_UNSPECIFIED, X509_V_ERR_HOSTNAME_MISMATCH,
      X509_V_ERR_IP_ADDRESS_MISMATCH:
      .certificateName
    case X509_V_ERR_CERT_HAS_EXPIRED, X509_V_ERR_CERT_NOT_YET_VALID: .certificateExpired
    default: .certificateUntrusted
    }
  }
}

private typealias CurlCallback =
  @convention(c) (UnsafeMutablePointer<CChar>?, Int, Int, UnsafeMutableRawPointer?) -> Int

private let takeBody: CurlCallback = { start, size, count, context in
  guard let context else { return 0 }
  let reception = Unmanaged<DispatchReception>.fromOpaque(context).takeUnretainedValue()
  return reception.takeBody(size * count) ? size * count : 0
}

private let takeHeader: CurlCallback = { start, size, count, context in
  guard let start, let context else { return 0 }
  let bytes = UnsafeRawBufferPointer(start: start, count: size * count)
  let reception = Unmanaged<DispatchReception>.fromOpaque(context).takeUnretainedValue()
  return reception.takeHeader(bytes) ? bytes.count : 0
}

/// Checks what the name was resolved to, at every connect: a name may stand for another address by then.
private let openSocket:
  @convention(c) (UnsafeMutableRawPointer?, curlsocktype, UnsafeMutablePointer<curl_sockaddr>?) ->
    curl_socket_t = { context, _, address in
      guard let context, let address else { return -1 }
      var bytes = [UInt8](repeating: 0, count: 16)
      let count = ccurl_address_bytes(address, &bytes)
      let reception = Unmanaged<DispatchReception>.fromOpaque(context).takeUnretainedValue()
      guard reception.allows(Array(bytes.prefix(Int(count)))) else { return -1 }
      return ccurl_open_socket(address)
    }
