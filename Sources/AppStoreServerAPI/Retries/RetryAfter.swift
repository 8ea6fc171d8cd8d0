import AppStoreModel

/// When an App Store that asked to pause may be asked again.
///
/// Apple sends a UNIX time in milliseconds. A gateway in between may send what the standard says. So
/// digits are milliseconds since 1970 from 100,000,000,000 on (1973), seconds since 1970 from
/// 1,000,000,000 on (2001), and below that seconds to wait; anything else is read as an HTTP date.
/// What is absent or none of these pauses a minute. No pause is shorter than a second or longer than an
/// hour, within which Apple counts.
///
/// Source: Apple's "Identifying rate limits"; RFC 9110, section 10.2.3.
enum RetryAfter {
  static let shortest = TimeSpan.seconds(1)
  static let longest = TimeSpan.hours(1)
  static let unstated = TimeSpan.minutes(1)

  /// The moment by our clock.
  ///
  /// The server's clock may differ: its own `Date`, if it came along, says by how much.
  static func moment(_ header: String?, now: Timestamp, skew: TimeSpan?) -> Timestamp {
    let wanted = absolute(header, skew: skew ?? .zero) ?? now.adding(wait(header) ?? unstated)
    return min(max(wanted, now.adding(shortest)), now.adding(longest))
  }

  private static func absolute(_ header: String?, skew: TimeSpan) -> Timestamp? {
    guard let header else { return nil }
    guard let number = Int64(header) else { return HTTPDate.moment(header)?.subtracting(skew) }
    if number >= 100_000_000_000 {
      return Timestamp(millisecondsSince1970: number).subtracting(skew)
    }
    guard number >= 1_000_000_000 else { return nil }
    return Timestamp(millisecondsSince1970: 0).adding(.seconds(number)).subtracting(skew)
  }

  private static func wait(_ header: String?) -> TimeSpan? {
    guard let header, let number = Int64(header), number >= 0 else { return nil }
    return .seconds(number)
  }
}
