import AppStoreModel
import EntitlementLedger

// How a history reads when a test prints it: one line a fact, dates as day+hh:mm:ss.
extension Statement: CustomStringConvertible {
  var description: String {
    switch self {
    case .notice(let notice, let channel):
      "\(channel.rawValue) \(notice.type) \(notice.uuid) outer \(notice.signed.map(\.short) ?? "-")"
        + " st \(notice.status.map(String.init) ?? "-")"
        + "\n      \(notice.copy?.line ?? "-")\n      \(notice.renewal?.line ?? "-")"
    case .transaction(let copy, let channel): "\(channel.rawValue) \(copy.line)"
    case .renewal(let renewal, let channel): "\(channel.rawValue) \(renewal.line)"
    case .report(let report):
      "\(report.source) st \(report.status)\n      \(report.copy.line)\n      \(report.renewal.line)"
    }
  }
}

extension Copy {
  var line: String {
    let mark = revoked.map {
      " REVOKED \($0.date.short) reason \($0.reason.map(String.init) ?? "-") \($0.type ?? "")"
    }
    return
      "tx \(id) of \(original) \(purchased.short)…\(expires?.short ?? "") signed \(signed.short)"
      + (mark ?? "") + (isUpgraded ? " UPGRADED" : "")
      + (previousOriginal.map { " after \($0)" } ?? "")
  }
}

extension RenewalNote {
  var line: String {
    "rn signed \(signed.short) \(autoRenews ? "on" : "off") until \(renewalDate?.short ?? "-")"
      + (expirationIntent.map { " intent \($0)" } ?? "") + (isInRetry == true ? " retry" : "")
      + (graceUntil.map { " grace \($0.short)" } ?? "")
  }
}

extension Timestamp {
  /// As `12+03:04:05.678`: days, hours, minutes and seconds since day 0.
  var short: String {
    let span = millisecondsSince1970 - Timestamp.day(0).millisecondsSince1970
    func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let day = span / 86_400_000
    let rest = span % 86_400_000
    let clock = [rest / 3_600_000, rest / 60_000 % 60, rest / 1_000 % 60].map(two)
    return "\(day)+" + clock.joined(separator: ":") + "." + String(1_000 + rest % 1_000).dropFirst()
  }
}

extension [Statement] {
  /// In the order of the dates signed.
  var readable: String {
    sorted { $0.lastSigned < $1.lastSigned }.map { "  \($0)" }.joined(separator: "\n")
  }
}
