/// A moment, as Apple's servers write it.
///
/// Unit: milliseconds since 1970-01-01T00:00:00Z, without leap seconds.
///
/// Source: `timestamp` of Apple's App Store Server API.
public struct Timestamp: Hashable, Comparable, Sendable {
  public static let distantFuture = Timestamp(millisecondsSince1970: .max)
  public static let distantPast = Timestamp(millisecondsSince1970: .min)

  /// The moments that a payload may name: the years 0 to 9999, those that RFC 3339 can write.
  ///
  /// A payload that names another one is not understood: it is kept, and changes nothing.
  public static let nameable =
    Timestamp(
      millisecondsSince1970: -62_167_219_200_000)...Timestamp(
      millisecondsSince1970: 253_402_300_799_999)

  public let millisecondsSince1970: Int64

  public init(millisecondsSince1970: Int64) {
    self.millisecondsSince1970 = millisecondsSince1970
  }

  /// The moment `span` later; stays at the end of the range instead of overflowing.
  public func adding(_ span: TimeSpan) -> Timestamp {
    let (sum, overflow) = millisecondsSince1970.addingReportingOverflow(span.milliseconds)
    if overflow { return span.milliseconds < 0 ? .distantPast : .distantFuture }
    return Timestamp(millisecondsSince1970: sum)
  }

  /// The moment `span` earlier; stays at the end of the range instead of overflowing.
  public func subtracting(_ span: TimeSpan) -> Timestamp {
    adding(TimeSpan(milliseconds: span.milliseconds == .min ? .max : -span.milliseconds))
  }

  /// How much later than another moment this is; stays at the end of the range instead of
  /// overflowing.
  public func span(since other: Timestamp) -> TimeSpan {
    let (span, overflow) = millisecondsSince1970.subtractingReportingOverflow(
      other.millisecondsSince1970)
    return TimeSpan(milliseconds: overflow ? (self < other ? .min : .max) : span)
  }

  public static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.millisecondsSince1970 < right.millisecondsSince1970
  }
}
