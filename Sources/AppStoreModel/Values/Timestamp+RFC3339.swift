extension Timestamp {
  /// The moment in UTC as `2026-11-30T04:05:06Z`, with milliseconds only where they are not zero.
  ///
  /// Range: years outside 0 to 9999 are written with as many digits as they need.
  ///
  /// Source: RFC 3339, section 5.6; the calendar by H. Hinnant's `civil_from_days`.
  package var rfc3339: String {
    let day = Timestamp.floorDivide(millisecondsSince1970, 86_400_000)
    let rest = millisecondsSince1970 % 86_400_000
    let millisecond = rest < 0 ? rest + 86_400_000 : rest
    let date = Timestamp.civil(day)
    let time = [millisecond / 3_600_000, millisecond / 60_000 % 60, millisecond / 1_000 % 60]
      .map { Timestamp.padded($0, 2) }.joined(separator: ":")
    let fraction = millisecond % 1_000 == 0 ? "" : "." + Timestamp.padded(millisecond % 1_000, 3)
    return "\(Timestamp.padded(date.year, 4))-\(Timestamp.padded(date.month, 2))-"
      + "\(Timestamp.padded(date.day, 2))T\(time)\(fraction)Z"
  }

  /// Reads what ``rfc3339`` writes, or whole milliseconds since 1970.
  package init?(rfc3339 text: String) {
    if let milliseconds = Int64(text) {
      self.init(millisecondsSince1970: milliseconds)
      return
    }
    guard text.hasSuffix("Z"), let mark = text.firstIndex(of: "T") else { return nil }
    let date = text[..<mark].split(separator: "-", omittingEmptySubsequences: false)
    let clock = text[text.index(after: mark)...].dropLast().split(separator: ":")
    guard date.count == 3, clock.count == 3, let year = Int64(date[0]), let month = Int64(date[1]),
      let day = Int64(date[2]), let hour = Int64(clock[0]), let minute = Int64(clock[1]),
      let millisecond = Timestamp.milliseconds(clock[2]), (1...12).contains(month),
      (1...31).contains(day), (0...9_999).contains(year), (0..<24).contains(hour),
      (0..<60).contains(minute)
    else { return nil }
    let days = Timestamp.days(year, month, day)
    guard Timestamp.civil(days) == (year, month, day) else { return nil }
    self.init(
      millisecondsSince1970: days * 86_400_000 + hour * 3_600_000 + minute * 60_000 + millisecond)
  }

  private static func milliseconds(_ text: Substring) -> Int64? {
    let halves = text.split(separator: ".", omittingEmptySubsequences: false)
    guard let second = Int64(halves[0]), (0..<61).contains(second), halves.count <= 2 else {
      return nil
    }
    guard halves.count == 2 else { return second * 1_000 }
    let digits = halves[1].prefix(3)
    guard !digits.isEmpty,
      let fraction = Int64(digits + String(repeating: "0", count: 3 - digits.count))
    else { return nil }
    return second * 1_000 + fraction
  }

  private static func floorDivide(_ number: Int64, _ divisor: Int64) -> Int64 {
    number >= 0 ? number / divisor : (number + 1) / divisor - 1
  }

  /// The date of a day counted from 1970-01-01.
  private static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = days + 719_468
    let era = floorDivide(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }

  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = floorDivide(shiftedYear, 400)
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func padded(_ number: Int64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
