import AppStoreModel
import EntitlementLedger
import HTTPListener
import LedgerStorage

/// What was missed, and how much was compared with Apple.
struct ReconciliationRoutes {
  private static let gapsPath = "/v1/reports/gaps"
  private static let coveragePath = "/v1/reports/coverage"

  let readers: ReaderPool
  let reconciliation: Reconciliation?
  let clock: ServerClock

  var routes: [Route] {
    [
      Route.get(Self.gapsPath, .readers) { [self] call throws(Problem) in try gaps(call) }
        .reading(.after, .limit),
      Route.get(Self.coveragePath, .readers) { [self] call throws(Problem) in
        try coverage(call)
      },
    ].reading(.app, .format)
  }

  private func gaps(_ call: Call) throws(Problem) -> HTTPResponse {
    let scope = try call.scope()
    let isCSV = try call.wantsCSV()
    let after = try call.number("after", in: 0...Int64.max, default: 0)
    let limit = try call.number("limit", in: 1...500, default: 100)
    let gaps = try readers.read { (reader) throws(StoreError) in
      try reader.read { (recorder) throws(StoreError) in
        try recorder.gaps(in: scope, after: after, limit: Int(limit))
      }
    }
    let next = gaps.count == limit ? gaps.last?.position : nil
    guard isCSV else { return .json(Self.json(gaps, next: next)) }
    let link = next.map {
      "\(Self.gapsPath)?app=\(scope.bundleId)&format=csv&limit=\(limit)&after=\($0)"
    }
    return .csv(Self.table(gaps), next: link)
  }

  static func json(_ gaps: [NotificationGap], next: Int64?) -> [UInt8] {
    JSONWriter.page("gaps", gaps, next: next) { $0.gap($1) }
  }

  static func table(_ gaps: [NotificationGap]) -> CSVText {
    var table = CSVText(columns: [
      "notificationUUID", "type", "subtype", "signedAtMs", "originalTransactionId",
      "transactionId", "reason", "detail", "isStored", "foundAtMs", "arrivedAtMs",
      "sendAttempts",
    ])
    for gap in gaps {
      table.append([
        gap.notificationUUID, gap.type ?? "", gap.subtype ?? "", number(gap.signedDate),
        gap.originalTransactionId ?? "", gap.transactionId ?? "", gap.reason.rawValue,
        gap.detail ?? "", String(gap.factID != nil), number(gap.foundAt), number(gap.arrivedAt),
        gap.attempts.map { $0.result ?? "" }.joined(separator: " "),
      ])
    }
    return table
  }

  private static func number(_ moment: Timestamp?) -> String {
    number(moment?.millisecondsSince1970)
  }

  private static func number(_ number: Int64?) -> String {
    number.map { String($0) } ?? ""
  }

  private func coverage(_ call: Call) throws(Problem) -> HTTPResponse {
    let scope = try call.scope()
    let coverage = try readers.read { (reader) throws(StoreError) in
      try reader.read { (recorder) throws(StoreError) in
        try recorder.coverage(
          of: scope, catalog: reconciliation?.catalog(of: scope.bundleId) ?? [], at: clock.now())
      }
    }
    let progress = reconciliation?.progress.first { $0.scope == scope }
    if try call.wantsCSV() { return .csv(Self.table([coverage]), next: nil) }
    var writer = JSONWriter()
    writer.coverage(coverage, progress)
    return .json(writer.bytes)
  }

  /// A line for each walk.
  static func table(_ all: [Coverage]) -> CSVText {
    var table = CSVText(columns: [
      "walk", "chains", "chainsWithAPICopy", "steps", "coveredFromMs", "coveredUntilMs",
      "lastFinishedAtMs", "lastSteps", "cycleMs", "app", "environment",
    ])
    for coverage in all {
      for walk in coverage.walks {
        table.append([
          walk.kind.rawValue, String(coverage.chains), String(coverage.chainsWithAPICopy),
          number(walk.underway?.steps), number(walk.coveredFrom), number(walk.coveredUntil),
          number(walk.lastFinishedAt), number(walk.lastSteps),
          number(walk.cycleTime?.milliseconds), coverage.scope.bundleId,
          coverage.scope.environment.rawValue,
        ])
      }
    }
    return table
  }
}
