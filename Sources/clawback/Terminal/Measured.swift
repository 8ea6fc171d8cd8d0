/// Says how long something took, as far as it can be read at a glance.
enum Measured {
  /// Shape: `7 ms`, `1.2 s`, `2 min 1 s`, `3 h 20 min` or `2 days 4 h`, never rounded up.
  static func text(milliseconds: Int64) -> String {
    let (all, seconds) = (max(0, milliseconds), max(0, milliseconds) / 1_000)
    switch seconds {
    case 0: return "\(all) ms"
    case ..<60: return "\(seconds).\(all % 1_000 / 100) s"
    case ..<3_600: return pair(seconds, 60, "min", 1, "s")
    case ..<86_400: return pair(seconds, 3_600, "h", 60, "min")
    default: return pair(seconds, 86_400, seconds < 172_800 ? "day" : "days", 3_600, "h")
    }
  }

  private static func pair(
    _ seconds: Int64, _ large: Int64, _ name: String, _ small: Int64, _ rest: String
  ) -> String {
    let left = seconds % large / small
    return "\(seconds / large) \(name)" + (left == 0 ? "" : " \(left) \(rest)")
  }
}
