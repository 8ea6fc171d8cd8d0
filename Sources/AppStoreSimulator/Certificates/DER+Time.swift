import AppStoreModel
import Glibc

extension DER {
  /// A moment of a validity: two digits of the year until 2049, four from then on.
  ///
  /// Source: RFC 5280, section 4.1.2.5.
  static func moment(_ moment: Timestamp) -> [UInt8] {
    var seconds = Int(moment.millisecondsSince1970 / 1000)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    let year = Int(parts.tm_year) + 1900
    let isShort = (1950..<2050).contains(year)
    let rest = [parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec]
    let digits =
      padded(isShort ? year % 100 : year, to: isShort ? 2 : 4)
      + rest.map { padded(Int($0), to: 2) }.joined()
    return tagged(isShort ? 0x17 : 0x18, Array((digits + "Z").utf8))
  }

  private static func padded(_ number: Int, to width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
