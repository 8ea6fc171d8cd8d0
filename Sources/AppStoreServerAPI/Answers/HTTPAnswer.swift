import AppStoreModel

/// What came back over HTTP.
struct HTTPAnswer: Hashable, Sendable {
  let status: Int
  let body: [UInt8]
  /// The `Date` header, if it is an HTTP date.
  let date: Timestamp?
  /// The `Retry-After` header as it came.
  let retryAfter: String?
  /// From the sending of the question to the reading of this answer, by our clock.
  var exchange: ClosedRange<Timestamp>?

  init(
    status: Int, body: [UInt8] = [], date: Timestamp? = nil, retryAfter: String? = nil
  ) {
    self.status = status
    self.body = body
    self.date = date
    self.retryAfter = retryAfter
  }

  var isSuccess: Bool { (200..<300).contains(status) }

  /// Whether nothing is said.
  var isBlank: Bool {
    body.allSatisfy { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
  }

  /// How far our clock is behind the server's at least; negative when it is ahead.
  ///
  /// The server wrote its `Date`, a whole second, at some moment of the exchange. As long as one clock
  /// for both can explain that, the skew is zero: a slow answer proves nothing about clocks.
  var skew: TimeSpan? {
    guard let date, let exchange else { return nil }
    let end = date.adding(TimeSpan(milliseconds: 999))
    if end < exchange.lowerBound { return Self.difference(end, exchange.lowerBound) }
    if exchange.upperBound < date { return Self.difference(date, exchange.upperBound) }
    return .zero
  }

  private static func difference(_ server: Timestamp, _ ours: Timestamp) -> TimeSpan? {
    let (difference, overflow) = server.millisecondsSince1970.subtractingReportingOverflow(
      ours.millisecondsSince1970)
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
