import AppStoreModel
import Glibc

/// Writes moments as HTTP's `Date` field does.
///
/// Source: RFC 9110, section 5.6.7.
enum HTTPDate {
  private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Shape: `Sun, 06 Nov 1994 08:49:37 GMT`.
  static func text(_ moment: Timestamp) -> String {
    var seconds = Int(moment.millisecondsSince1970 / 1_000)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    let clock = [parts.tm_hour, parts.tm_min, parts.tm_sec].map(padded).joined(separator: ":")
    return "\(weekdays[Int(parts.tm_wday)]), \(padded(parts.tm_mday)) "
      + "\(months[Int(parts.tm_mon)]) \(Int(parts.tm_year) + 1900) \(clock) GMT"
  }

  private static func padded(_ number: Int32) -> String {
    number < 10 ? "0\(number)" : String(number)
  }
}
