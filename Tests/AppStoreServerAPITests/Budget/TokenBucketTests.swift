import AppStoreModel
import AppStoreVerification
import AppStoreServerAPI
import Testing

@testable import AppStoreServerAPI

struct TokenBucketTests {
  private static let start = TurningClock.start

  @Test(arguments: [
    (Endpoint.transactionInfo, 180_000, 18_000), (.appTransactionInfo, 180_000, 18_000),
    (.transactionHistory, 180_000, 18_000), (.subscriptionStatuses, 180_000, 18_000),
    (.notificationHistory, 180_000, 18_000), (.sendConsumption, 180_000, 18_000),
    (.sendConsumptionV1, 180_000, 18_000), (.finishTransaction, 180_000, 18_000),
    (.extendRenewal, 72_000, 7_200), (.setAppAccountToken, 72_000, 7_200),
    (.lookUpOrder, 36_000, 3_600), (.refundHistory, 36_000, 3_600), (.extendRenewals, 3_600, 360),
    (.massExtensionStatus, 3_600, 360), (.requestTestNotification, 3_600, 360),
    (.testNotificationStatus, 3_600, 360),
  ])
  func `an hour allows what Apple allows, a tenth in the sandbox`(
    endpoint: Endpoint, production: Int64, sandbox: Int64
  ) {
    let limits = RateLimits()
    #expect(limits.limit(endpoint, in: .production).callsPerHour == production)
    #expect(limits.limit(endpoint, in: .sandbox).callsPerHour == sandbox)
  }

  @Test func `a limit of one's own holds, and the sandbox follows`() {
    var limits = RateLimits()
    limits.set(HourlyLimit(callsPerHour: 500), for: .transactionInfo)
    #expect(limits.limit(.transactionInfo, in: .production).callsPerHour == 500)
    #expect(limits.limit(.transactionInfo, in: .sandbox).callsPerHour == 50)
    limits.set(HourlyLimit(callsPerHour: 0), for: .transactionInfo)
    #expect(limits.limit(.transactionInfo, in: .sandbox).callsPerHour == 1)
  }

  @Test(arguments: [1, 36, 360, 3_600, 180_000])
  func `the hungriest caller stays inside every hour, wherever it begins`(perHour: Int64) {
    var bucket = TokenBucket(HourlyLimit(callsPerHour: perHour), now: Self.start)
    var calls: [Int64] = []
    var now = Self.start
    let end = now.adding(.hours(3))
    while now < end, calls.count < 100_000 {
      if bucket.take(keeping: 0, now: now) {
        calls.append(now.millisecondsSince1970)
      } else {
        now = bucket.readyAt(keeping: 0, now: now)
      }
    }
    var first = 0
    var most = 0
    for (index, call) in calls.enumerated() {
      while calls[first] <= call - 3_600_000 { first += 1 }
      most = max(most, index - first + 1)
    }
    #expect(most <= max(perHour, 2))
    #expect(calls.count < 100_000 ? most * 10 >= perHour * 8 : true)
  }

  @Test func `a clock that jumps brings at most one full store`() {
    var bucket = TokenBucket(HourlyLimit(callsPerHour: 3_600), now: Self.start)
    #expect(Self.drain(&bucket, Self.start) == 36)
    #expect(Self.drain(&bucket, Self.start.subtracting(.days(9))) == 0)
    #expect(bucket.available(now: .distantFuture) == 36)
    #expect(Self.drain(&bucket, .distantPast) == 0)
    #expect(Self.drain(&bucket, .distantFuture) == 36)
  }

  private static func drain(_ bucket: inout TokenBucket, _ now: Timestamp, keeping: Int64 = 0)
    -> Int
  {
    var taken = 0
    while bucket.take(keeping: keeping, now: now) { taken += 1 }
    return taken
  }

  @Test func `what is kept for others is not taken`() {
    var bucket = TokenBucket(HourlyLimit(callsPerHour: 3_600), now: Self.start)
    #expect(bucket.reserve == 7)
    #expect(Self.drain(&bucket, Self.start, keeping: bucket.reserve) == 29)
    #expect(bucket.readyAt(keeping: 7, now: Self.start) > Self.start)
    #expect(bucket.readyAt(keeping: 0, now: Self.start) == Self.start)
    #expect(Self.drain(&bucket, Self.start) == 7)
  }
}
