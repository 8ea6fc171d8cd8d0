public import AppStoreModel

/// How finely a report divides time: days, weeks or months of UTC.
public enum ReportPeriod: String, Hashable, Sendable, CaseIterable {
  case day
  /// From Monday to Sunday, as in ISO 8601.
  case week
  case month

  /// The beginning of the period that a moment lies in.
  public func start(of moment: Timestamp) -> Timestamp {
    let day = UTCDay(moment)
    switch self {
    case .day: return day.start
    // 1970-01-01 was a Thursday, three days after a Monday.
    case .week: return UTCDay(day.number - (day.number + 3).modulo(7)).start
    case .month: return UTCDay(day.number - day.dayOfMonth + 1).start
    }
  }
}

/// A day of UTC.
public struct UTCDay: Hashable, Comparable, Sendable {
  /// Counted from 1970-01-01.
  public let number: Int64

  public init(_ number: Int64) {
    self.number = number
  }

  /// The day that a moment lies in.
  public init(_ moment: Timestamp) {
    number = moment.millisecondsSince1970.floorDivided(by: 86_400_000)
  }

  public var start: Timestamp { Timestamp(millisecondsSince1970: 0).adding(.days(number)) }

  /// The day so many days later.
  public func adding(_ days: Int64) -> UTCDay { UTCDay(number + days) }

  public static func < (left: UTCDay, right: UTCDay) -> Bool { left.number < right.number }

  /// From 1 to 31.
  ///
  /// Source: H. Hinnant's `civil_from_days`.
  var dayOfMonth: Int64 {
    let shifted = number + 719_468
    let dayOfEra = shifted.modulo(146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    return dayOfYear - (153 * ((5 * dayOfYear + 2) / 153) + 2) / 5 + 1
  }
}

extension Int64 {
  /// Rounded down, also below zero.
  func floorDivided(by divisor: Int64) -> Int64 {
    self >= 0 ? self / divisor : (self + 1) / divisor - 1
  }

  /// From 0 to `divisor - 1`, also below zero.
  func modulo(_ divisor: Int64) -> Int64 {
    self - floorDivided(by: divisor) * divisor
  }
}
