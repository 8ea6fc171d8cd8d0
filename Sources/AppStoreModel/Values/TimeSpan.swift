/// A length of time; stands in for `Duration`, which the oldest supported systems lack.
///
/// Unit: milliseconds. Range: negative values point backwards. What is longer than 64 bits can say
/// stays at the end of the range.
public struct TimeSpan: Hashable, Comparable, Sendable {
  public static let zero = TimeSpan(milliseconds: 0)

  public let milliseconds: Int64

  public init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  public static func seconds(_ count: Int64) -> TimeSpan {
    TimeSpan(milliseconds: saturating(count, 1_000))
  }

  public static func minutes(_ count: Int64) -> TimeSpan {
    seconds(saturating(count, 60))
  }

  public static func hours(_ count: Int64) -> TimeSpan {
    minutes(saturating(count, 60))
  }

  public static func days(_ count: Int64) -> TimeSpan {
    hours(saturating(count, 24))
  }

  /// Both spans together.
  public func adding(_ other: TimeSpan) -> TimeSpan {
    let (sum, overflow) = milliseconds.addingReportingOverflow(other.milliseconds)
    return TimeSpan(milliseconds: overflow ? (other.milliseconds < 0 ? .min : .max) : sum)
  }

  private static func saturating(_ count: Int64, _ unit: Int64) -> Int64 {
    let (product, overflow) = count.multipliedReportingOverflow(by: unit)
    return overflow ? (count < 0 ? .min : .max) : product
  }

  public static func < (left: TimeSpan, right: TimeSpan) -> Bool {
    left.milliseconds < right.milliseconds
  }
}
