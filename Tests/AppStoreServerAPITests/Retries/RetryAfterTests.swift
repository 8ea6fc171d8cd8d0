import AppStoreModel
import Testing

@testable import AppStoreServerAPI

struct RetryAfterTests {
  // The clock of these tests stands at 1,790,000,000 s.
  @Test(arguments: [
    ("1790000123456", 123_456),  // UNIX milliseconds, as Apple sends them
    ("1790000123", 123_000),  // UNIX seconds
    ("120", 120_000),  // seconds to wait
    ("Mon, 21 Sep 2026 14:13:40 GMT", 20_000),
    ("0", 1_000), ("1789999999000", 1_000),  // over already: at least a second
    ("1800000000000", 3_600_000), ("999999999", 3_600_000),  // at most an hour
    ("9223372036854775807", 3_600_000),
    ("-5", 60_000), ("soon", 60_000), ("", 60_000), (nil, 60_000),  // unreadable: a minute
  ])
  func `the pause is`(header: String?, milliseconds: Int64) {
    let now = TurningClock.start
    let until = RetryAfter.moment(header, now: now, skew: nil)
    #expect(until == now.adding(TimeSpan(milliseconds: milliseconds)))
  }

  @Test func `a moment by the server's clock is turned into ours, a wait is not`() {
    let now = TurningClock.start
    let ahead = TimeSpan.seconds(-34)
    #expect(
      RetryAfter.moment("1790000010000", now: now, skew: ahead) == now.adding(.seconds(44)))
    #expect(RetryAfter.moment("10", now: now, skew: ahead) == now.adding(.seconds(10)))
  }
}
