import AppStoreModel
import EntitlementLedger
import HTTPListener
import LedgerReports
import LedgerStorage

/// The time that a report is about: from its first moment to before its last.
struct ReportRange: Hashable, Sendable {
  static let whole = ReportRange(from: .distantPast, until: .distantFuture)

  let from: Timestamp
  let until: Timestamp

  func contains(_ moment: Timestamp) -> Bool { from <= moment && moment < until }
}

extension Call {
  /// What `?from=` and `?until=` leave, in milliseconds since 1970.
  func range() throws(Problem) -> ReportRange {
    ReportRange(
      from: try reportMoment("from") ?? .distantPast,
      until: try reportMoment("until") ?? .distantFuture)
  }

  /// What `?by=` states: months unless stated.
  func period() throws(Problem) -> ReportPeriod {
    guard let text = request.target["by"] else { return .month }
    guard let period = ReportPeriod(rawValue: text) else {
      throw Problem(.badParameter, "by is day, week or month.")
    }
    return period
  }

  /// The same question without its place, for the `Link` to the next page.
  func link(_ path: String, keeping names: [String], limit: Int64, after: String) throws(Problem)
    -> String
  {
    let kept = names.compactMap { name in
      request.target[name].map { "&\(name)=\(PercentEncoding.text($0))" }
    }
    let app = PercentEncoding.text(try scope().bundleId)
    return "\(path)?app=\(app)&format=csv&limit=\(limit)\(kept.joined())"
      + "&after=\(PercentEncoding.text(after))"
  }

  private func reportMoment(_ name: String) throws(Problem) -> Timestamp? {
    guard let text = request.target[name] else { return nil }
    guard let number = Int64(text), number >= 0 else {
      throw Problem(.badParameter, "\(name) is a moment in milliseconds since 1970.")
    }
    return Timestamp(millisecondsSince1970: number)
  }
}

/// Reads a whole app in short steps, so that no reading holds up the store's upkeep.
struct ReportWalk {
  private static let chainsAStep = 200

  let reader: LedgerReader

  func forEach<Item>(
    _ page: (Recorder, _ after: Int64, _ limit: Int) throws(StoreError) -> ([Item], next: Int64?),
    _ take: (Item) -> Void
  ) throws(StoreError) {
    var after: Int64? = 0
    while let place = after {
      let found = try reader.read { (recorder) throws(StoreError) in
        try page(recorder, place, Self.chainsAStep)
      }
      for item in found.0 { take(item) }
      after = found.next
    }
  }
}
