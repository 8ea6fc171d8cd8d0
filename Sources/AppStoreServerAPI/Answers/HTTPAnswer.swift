import AppStoreModel

/// What came back over HTTP.
struct HTTPAnswer: Hashable, Sendable {
  let status: Int
  let body: [UInt8]
  /// The `Date` header, if it is an HTTP date.
  let date: Timestamp?
  /// The `Retry-After` header as it came.
  let retryAfter: String?

  init(
    status: Int, body: [UInt8] = [], date: Timestamp? = nil, retryAfter: String? = nil
  ) {
    self.status = status
    self.body = body
    self.date = date
    self.retryAfter = retryAfter
  }

  var isSuccess: Bool { (200..<300).contains(status) }

  /// How far a clock is behind the server's; negative when it is ahead.
  ///
  /// A `Date` header names a whole second, of which half has passed on average.
  func skew(of now: Timestamp) -> TimeSpan? {
    guard let date else { return nil }
    let server = date.adding(TimeSpan(milliseconds: 500))
    let (difference, overflow) = server.millisecondsSince1970.subtractingReportingOverflow(
      now.millisecondsSince1970)
    return overflow ? nil : TimeSpan(milliseconds: difference)
  }

  /// The error of an answer that is not one of success.
  ///
  /// Apple's error object is looked for whatever the content type says; any other body (a page, plain
  /// text, nothing) leaves the status alone to tell.
  var refusal: AppStoreServerError {
    guard let json = try? JSONValue(json: body), let number = json["errorCode"]?.integer else {
      return .unexpectedStatus(status)
    }
    return .refused(
      AppleRefusal(
        status: status, code: AppleErrorCode(rawValue: number),
        message: json["errorMessage"]?.string))
  }
}
