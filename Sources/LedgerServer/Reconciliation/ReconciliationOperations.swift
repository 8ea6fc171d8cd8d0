import AppStoreModel
import EntitlementLedger
import LedgerStorage

/// What an operator asks of reconciliation from the command line.
struct ReconciliationOperations: Sendable {
  let ledger: Ledger
  let reconciliation: Reconciliation?
  let configuration: Configuration
  let clock: ServerClock

  /// The answer to one of its commands; `nil` for a command of others.
  func answer(_ request: JSONValue) throws(Problem) -> [UInt8]? {
    switch request["command"]?.string {
    case "reconcile.begin":
      try begin()
      return try progress()
    case "reconcile.progress": return try progress()
    case "import.begin": return try beginImport(request)
    case "import.rows": return try addRows(request)
    case "import.progress": return try importProgress(request)
    case "import.problems": return try importProblems(request)
    case "report.gaps": return try gaps(request)
    case "report.coverage": return try coverage(request)
    default: return nil
    }
  }

  private func begin() throws(Problem) {
    guard let reconciliation, !reconciliation.isOff else {
      throw Problem(.badParameter, "No app has an App Store Connect key.").advising(
        "Add appStoreConnect to the app in the configuration, and restart the server.")
    }
    reconciliation.requestPass()
  }

  private func progress() throws(Problem) -> [UInt8] {
    let all = reconciliation?.progress ?? []
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("isFinished", all.allSatisfy(\.isFinished))
      writer.name("scopes")
      writer.array { writer in for progress in all { writer.progress(progress) } }
      writer.name("appsWithoutKey")
      writer.array { writer in
        for app in reconciliation?.appsWithoutKey ?? [] { writer.string(app) }
      }
    }
    return writer.bytes
  }

  private func beginImport(_ request: JSONValue) throws(Problem) -> [UInt8] {
    guard let sha256 = request["sha256"]?.string.flatMap(Self.bytes), sha256.count == 32,
      let name = request["name"]?.string
    else { throw Problem(.badParameter, "An import has a name and the SHA-256 of its file.") }
    let id = try write { (recorder) throws(StoreError) in
      try recorder.beginImport(sha256: sha256, name: name, now: clock.now())
    }
    var writer = JSONWriter()
    writer.object { $0.member("import", id) }
    return writer.bytes
  }

  private func addRows(_ request: JSONValue) throws(Problem) -> [UInt8] {
    let importID = try self.importID(request)
    let rows = (request["rows"]?.array ?? []).compactMap { row -> ImportRow? in
      guard let cells = row.array, cells.count == 5, let line = cells[0].integer else {
        return nil
      }
      let words = cells[1...].map { $0.string ?? "" }
      return ImportRow(
        line: line, transactionId: words[0], customer: words[1], bundleId: words[2],
        problem: words[3].isEmpty ? problem(words[2]) : words[3])
    }
    try write { (recorder) throws(StoreError) in
      try recorder.addImportRows(rows, to: importID, now: clock.now())
    }
    return try importProgress(request)
  }

  /// Why nothing can be asked about an app.
  private func problem(_ bundleId: String) -> String? {
    if configuration.app(bundleId) == nil { return "the app \(bundleId) is not configured" }
    guard reconciliation?.asks(about: bundleId) == true else {
      return "the app \(bundleId) has no App Store Connect key in the configuration"
    }
    return nil
  }

  private func importProgress(_ request: JSONValue) throws(Problem) -> [UInt8] {
    let importID = try self.importID(request)
    let progress = try read { (recorder) throws(StoreError) in
      try recorder.importProgress(importID)
    }
    let app = configuration.apps.first { reconciliation?.asks(about: $0.bundleId) == true }
    let percent = configuration.reconciliation.budgetPercent
    let left = app.flatMap {
      reconciliation?.estimate(rows: progress.waiting, of: $0.bundleId, percent: percent)
    }
    let trouble = reconciliation?.progress.compactMap(\.trouble).first
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("import", importID)
      writer.member("rows", progress.rows)
      writer.member("done", progress.done)
      writer.member("refused", progress.refused)
      writer.member("waiting", progress.waiting)
      writer.member("estimateMs", left?.milliseconds)
      writer.member("trouble", trouble)
    }
    return writer.bytes
  }

  private func importProblems(_ request: JSONValue) throws(Problem) -> [UInt8] {
    let importID = try self.importID(request)
    let after = request["after"]?.integer ?? 0
    let problems = try read { (recorder) throws(StoreError) in
      try recorder.importProblems(importID, after: after, limit: 1_000)
    }
    var writer = JSONWriter()
    writer.object { writer in
      writer.name("problems")
      writer.array { writer in
        for problem in problems {
          writer.object { writer in
            writer.member("line", problem.line)
            writer.member("reason", problem.reason)
          }
        }
      }
    }
    return writer.bytes
  }

  private func gaps(_ request: JSONValue) throws(Problem) -> [UInt8] {
    let after = request["after"]?.integer ?? 0
    var gaps: [NotificationGap] = []
    for scope in scopes {
      gaps += try read { (recorder) throws(StoreError) in
        try recorder.gaps(in: scope, after: after, limit: 1_000)
      }
    }
    gaps = Array(gaps.sorted { $0.position < $1.position }.prefix(1_000))
    let next = gaps.count == 1_000 ? gaps.last?.position : nil
    guard request["format"]?.string == "csv" else {
      return ReconciliationRoutes.json(gaps, next: next)
    }
    var writer = JSONWriter()
    writer.object { writer in
      writer.member(
        "csv", String(decoding: ReconciliationRoutes.table(gaps).bytes, as: UTF8.self))
      writer.member("next", next)
    }
    return writer.bytes
  }

  private func coverage(_ request: JSONValue) throws(Problem) -> [UInt8] {
    let all = try read { (recorder) throws(StoreError) in
      try scopes.map { (scope) throws(StoreError) in
        try recorder.coverage(
          of: scope, catalog: ledger.rules.catalog(scope.bundleId).productIds,
          at: clock.now())
      }
    }
    var writer = JSONWriter()
    if request["format"]?.string == "csv" {
      let table = ReconciliationRoutes.table(all)
      writer.object { $0.member("csv", String(decoding: table.bytes, as: UTF8.self)) }
      return writer.bytes
    }
    let progress = reconciliation?.progress ?? []
    writer.object { writer in
      writer.name("scopes")
      writer.array { writer in
        for coverage in all {
          writer.coverage(coverage, progress.first { $0.scope == coverage.scope })
        }
      }
    }
    return writer.bytes
  }

  private var scopes: [Scope] {
    configuration.apps.flatMap { app in
      configuration.environments.sorted { $0.rawValue < $1.rawValue }.map {
        Scope(realm: ledger.realm, bundleId: app.bundleId, environment: $0)
      }
    }
  }

  private func importID(_ request: JSONValue) throws(Problem) -> Int64 {
    guard let id = request["import"]?.integer else {
      throw Problem(.badParameter, "The import is not named.")
    }
    return id
  }

  private func read<Value>(
    _ body: (Recorder) throws(StoreError) -> Value
  ) throws(Problem) -> Value {
    do throws(StoreError) {
      return try ledger.makeReader().read(body)
    } catch {
      throw Problem(.storeUnavailable, error.description + ". " + error.advice)
    }
  }

  private func write<Value: Sendable>(
    _ body: @escaping @Sendable (Recorder) throws(StoreError) -> Value
  ) throws(Problem) -> Value {
    do throws(StoreError) {
      return try ledger.wait { ledger.write($0, body) }
    } catch {
      throw Problem(.storeUnavailable, error.description + ". " + error.advice)
    }
  }

  private static func bytes(_ hexadecimal: String) -> [UInt8]? {
    let digits = Array(hexadecimal.utf8)
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      let pair = String(decoding: digits[index..<(index + 2)], as: UTF8.self)
      guard let byte = UInt8(pair, radix: 16) else { return nil }
      bytes.append(byte)
    }
    return bytes
  }
}
