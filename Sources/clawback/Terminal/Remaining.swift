/// Says how long something may take, roughly.
enum Remaining {
  /// Shape: `40 s`, `12 min`, `3.5 h` or `2.1 days`.
  static func text(milliseconds: Int64) -> String {
    let seconds = max(0, milliseconds + 999) / 1_000
    switch seconds {
    case ..<90: return "\(seconds) s"
    case ..<5_400: return "\((seconds + 59) / 60) min"
    case ..<172_800: return tenths(seconds * 10 / 3_600) + " h"
    default: return tenths(seconds * 10 / 86_400) + " days"
    }
  }

  private static func tenths(_ number: Int64) -> String {
    "\(number / 10).\(number % 10)"
  }
}
