import AppStoreModel
import Testing

@testable import LedgerServer

struct RetryScheduleTests {
  private static let now = Timestamp(millisecondsSince1970: 1_790_000_000_000)

  private static func wait(_ attempts: Int, chance: Int64, asked: TimeSpan? = nil) -> Int64? {
    RetrySchedule.standard.next(
      afterAttempts: attempts, now: now, asked: asked, chance: chance
    ).map { ($0.millisecondsSince1970 - now.millisecondsSince1970) }
  }

  /// As `docs/webhooks.md` publishes it, in seconds.
  static let published: [(attempts: Int, seconds: Int64)] = [
    (1, 5), (2, 30), (3, 120), (4, 600), (5, 1_800), (6, 7_200), (7, 21_600), (8, 43_200),
    (9, 86_400), (10, 86_400),
  ]

  @Test(arguments: published)
  func `a wait is the published one, give or take a fifth`(attempts: Int, seconds: Int64) {
    #expect(Self.wait(attempts, chance: 500) == seconds * 1_000)
    #expect(Self.wait(attempts, chance: 0) == seconds * 800)
    #expect(Self.wait(attempts, chance: 1_000) == seconds * 1_200)
  }

  @Test func `after the eleventh attempt there is none`() {
    #expect(RetrySchedule.standard.attempts == 11)
    #expect(Self.wait(11, chance: 500) == nil)
    #expect(Self.wait(11, chance: 500, asked: .hours(1)) == nil)
    #expect(Self.wait(0, chance: 500) == nil)
  }

  @Test func `what the receiver asks for lengthens a wait, up to a day`() {
    #expect(Self.wait(1, chance: 500, asked: .minutes(10)) == 600_000)
    #expect(Self.wait(1, chance: 500, asked: .seconds(1)) == 5_000)
    #expect(Self.wait(1, chance: 500, asked: .days(9)) == 86_400_000)
  }

  static let answers: [(status: Int, header: String?, seconds: Int64?)] = [
    (503, "120", 120), (429, "0", 0), (429, "-5", nil), (500, "120", nil), (503, nil, nil),
    (503, "soon", nil), (503, "Mon, 21 Sep 2026 14:14:40 GMT", 80),
    (503, "Mon, 21 Sep 2020 14:14:40 GMT", nil), (503, "99999999999", 1_000_000),
  ]

  @Test(arguments: answers)
  func `Retry-After counts with 429 and 503, as seconds or as a date`(
    status: Int, header: String?, seconds: Int64?
  ) {
    let answer = DispatchAnswer(status: status, retryAfter: header)
    #expect(answer.wait(at: Self.now) == seconds.map { .seconds($0) })
  }
}
