/// A length of time; stands in for `Duration`, which the oldest supported systems lack.
///
/// Unit: milliseconds. Range: negative values point backwards.
public struct TimeSpan: Hashable, Comparable, Sendable {
  public static let zero = TimeSpan(milliseconds: 0)

  public let milliseconds: Int64

  public init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  public static func seconds(_ count: Int64) -> TimeSpan {
    TimeSpan(milliseconds: count * 1_000)
  }

  public static func minutes(_ count: Int64) -> TimeSpan {
    seconds(count * 60)
  }

  public static func hours(_ count: Int64) -> TimeSpan {
    minutes(count * 60)
  }

  public static func days(_ count: Int64) -> TimeSpan {
    hours(count * 24)
  }

  public static func < (left: TimeSpan, right: TimeSpan) -> Bool {
    left.milliseconds < right.milliseconds
  }
}
