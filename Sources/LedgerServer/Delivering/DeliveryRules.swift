import AppStoreModel

/// How deliveries are treated, the same for every destination.
struct DeliveryRules: Sendable {
  var schedule = RetrySchedule.standard
  /// After so long of nothing but failures an endpoint is disabled.
  var disablesAfter = TimeSpan.days(5)
  /// How many requests to one destination are under way at once.
  var parallel = 8
  /// How many customers may wait for another attempt while nothing succeeds: the rest stays unread.
  var heldWhileFailing = 64
  /// How many may wait while others succeed.
  var held = 10_000
  /// Addresses that may be plain, and lead into the operator's own network.
  var trustedURLs: Set<String> = []
  /// A number from 0 to 1,000, by chance.
  var chance: @Sendable () -> Int64 = { Int64.random(in: 0...1_000) }

  func target(_ url: String) throws(TargetURL.Refusal) -> TargetURL {
    try TargetURL(url, isTrusted: trustedURLs.contains(url))
  }
}
