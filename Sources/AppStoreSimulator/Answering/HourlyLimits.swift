package import AppStoreModel

/// Counts calls against what an app may call in an hour.
///
/// Source: Apple's "Identifying rate limits".
package struct HourlyLimits: Sendable {
  /// What replaces Apple's figures.
  ///
  /// Unit: calls in one ``window``, in production and in the sandbox alike.
  package var stated: [APIEndpoint: Int] = [:]
  /// Over what time calls are counted.
  package var window = TimeSpan.hours(1)

  private struct Counter: Hashable {
    let environment: AppStoreEnvironment
    let endpoint: APIEndpoint
  }

  private struct Count {
    var windowStart: Int64
    var calls: Int
  }

  private var counts: [Counter: Count] = [:]

  package init() {}

  /// Unit: calls in one window.
  package func limit(_ endpoint: APIEndpoint, in environment: AppStoreEnvironment) -> Int {
    if let stated = stated[endpoint] { return stated }
    let hour = endpoint.perSecond * 3_600
    let share = environment == .sandbox ? hour / 10 : hour
    return Int(Int64(share) * window.milliseconds / TimeSpan.hours(1).milliseconds)
  }

  /// Counts a call.
  ///
  /// - Returns: when the next window begins, if the call is one too many.
  mutating func count(
    _ endpoint: APIEndpoint, in environment: AppStoreEnvironment, at now: Timestamp
  ) -> Timestamp? {
    let length = window.milliseconds
    let start = now.millisecondsSince1970 / length * length
    let counter = Counter(environment: environment, endpoint: endpoint)
    var count = counts[counter] ?? Count(windowStart: start, calls: 0)
    if count.windowStart != start { count = Count(windowStart: start, calls: 0) }
    count.calls += 1
    counts[counter] = count
    guard count.calls > limit(endpoint, in: environment) else { return nil }
    return Timestamp(millisecondsSince1970: start + length)
  }
}
