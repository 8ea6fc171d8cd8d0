package import AppStoreModel

extension StatusEntry {
  /// How much Apple's API may lag behind what Apple decided.
  static let lag = TimeSpan.minutes(15)

  /// What a report binds together, named by a hash of it so that a repeat is the same entry.
  init(_ report: ReportedStatus) {
    let source: Source = report.channel == .device ? .kit : .api
    var line = CanonicalLine("reported")
    line.add("source", source.rawValue)
    line.add("status", Int64(report.status.rawValue))
    report.transaction.write(to: &line)
    report.renewal?.write(to: &line)
    self.init(
      id: "reported:" + Fingerprint(of: line.bytes).hexadecimal, source: source,
      status: report.status, date: report.date,
      transactionId: report.transaction.transactionId,
      revocationDate: report.transaction.revocation?.date, renewal: report.renewal)
  }

  /// When it counts: an unsigned status other than 5 may show what was true a little earlier.
  package var clock: Timestamp {
    source == .notification || status == .revoked ? date : date.subtracting(Self.lag)
  }

  /// Whether it is the copy to keep of the same notification: the earliest one.
  func replaces(_ old: StatusEntry) -> Bool {
    date != old.date ? date < old.date : self != old && precedes(old)
  }

  /// Which of two entries with equal clocks is in force.
  func precedes(_ other: StatusEntry) -> Bool {
    if (revocationDate == nil) != (other.revocationDate == nil) { return revocationDate != nil }
    if (status == .revoked) != (other.status == .revoked) { return status == .revoked }
    return other.fingerprint < fingerprint
  }
}
