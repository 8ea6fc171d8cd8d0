import AppStoreModel
import AppStoreSimulator
import Foundation
import LedgerStorage
import Testing

/// `clawback reconcile`, killed again and again, beside one that nobody disturbs.
struct KilledReconciliationTests {
  private static let workers = 4
  /// No chain of the story has more transactions.
  private static let most = 1
  private let trap: Trap
  private let asked: AskedStore

  /// Thirty customers' purchases, refunds and reversals, of which the ledger has heard every other one.
  private static let story: String = {
    let steps = (0..<30).map { number in
      let name = "c\(number)"
      var steps = "{ after: '7m', buy: 'pro', by: '\(name)' }, { buy: 'themes', by: '\(name)' },"
      if number % 3 == 0 { steps += "{ after: '9m', refund: '\(name).themes' }," }
      if number % 6 == 0 { steps += "{ after: '40m', reverse: '\(name).themes' }," }
      return steps
    }
    return "{ environment: 'production', steps: [\(steps.joined()) { after: '3h', wait: '0s' }] }"
  }()

  init() throws {
    trap = Trap(at: SimulatorListener.wallClock())
    asked = try AskedStore(
      Self.story, "reconciliation: { scheduled: false, workers: \(Self.workers) }",
      hasReceiver: false, clock: { [trap] in trap.now() }
    ) { server in server.switches.pageSize = 6 }
    try asked.openLedger(since: asked.start)
    let heard = try asked.sent().enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
    let signer = NotificationSigner(JWSSigner(CertificateAuthority(seed: 31)))
    let file = asked.site.folder.appending(path: "heard.jsonl")
    let lines = heard.map { "{\"signedPayload\":\"\(signer.sign($0.notification))\"}" }
    try Data(lines.joined(separator: "\n").utf8).write(to: file)
    let replayed = try ServedProcess.run([
      "replay", file.path, "--database", "sqlite:" + asked.site.database, "--config",
      asked.site.configuration,
    ])
    #expect(replayed.code == 0, "\(replayed.diagnostics)")
  }

  @Test(.timeLimit(.minutes(5)))
  func `a killed reconciliation goes on where it stopped, and ends where an undisturbed one does`()
    throws
  {
    let undisturbed = try asked.anotherSite()
    #expect(try run(undisturbed) == 0)
    let whole = calls()
    let limit = max(whole.count / 7, 4 * Self.workers)
    var runs: [[JournalEntry]] = []
    var code: Int32 = 9
    while code == 9, runs.count < 40 {
      let before = calls().count
      trap.arm(after: limit)
      code = try run(asked.site)
      trap.disarm()
      runs.append(Array(calls().dropFirst(before)))
    }
    #expect(code == 0)
    #expect(runs.count >= 6, "killed \(runs.count - 1) times")
    expectNothingTwice(runs, whole)
    #expect(try asked.site.inspect { try $0.digest() } == undisturbed.inspect { try $0.digest() })
    #expect(try gaps(asked.site) == gaps(undisturbed))
    #expect(try gaps(asked.site).count == asked.sent().count / 2)
  }

  /// - Returns: The exit code, or the number of the signal that ended it.
  private func run(_ site: ServedSite) throws -> Int32 {
    let output = Pipe()
    let process = try ServedProcess.command(
      ["reconcile", "--config", site.configuration, "--json"], output)
    process.standardError = FileHandle.nullDevice
    try process.run()
    trap.aim(at: process.processIdentifier)
    _ = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return process.terminationStatus
  }

  private func calls() -> [JournalEntry] {
    asked.listener.withServer { server, _ in
      server.journal.entries.filter { $0.environment == .production }
    }
  }

  /// Only what was under way when a run was killed is asked again by the next.
  private func expectNothingTwice(_ runs: [[JournalEntry]], _ whole: [JournalEntry]) {
    let kills = runs.count - 1
    func pages(_ calls: [JournalEntry]) -> [String] {
      calls.filter { $0.endpoint == .notificationHistory }.map { $0.page ?? "first" }
    }
    let walked = runs.map(pages)
    for (place, later) in walked.enumerated() {
      for earlier in walked[..<place] {
        let again = Set(later).intersection(earlier)
        #expect(again.isSubset(of: earlier.suffix(1)), "run \(place) walks \(again) again")
      }
    }
    #expect(walked.joined().count <= pages(whole).count + kills)
    for endpoint in [APIEndpoint.statuses, .transactionInfo, .refundHistory] {
      let count = runs.joined().count { $0.endpoint == endpoint }
      let needed = whole.count { $0.endpoint == endpoint }
      // What faster workers finished behind the slowest one is not yet passed by the round.
      let behind = needed / 8
      #expect(
        count <= needed + kills * Self.workers * Self.most + behind,
        "\(endpoint) \(count) times in place of \(needed)")
      #expect(count >= needed, "\(endpoint)")
    }
  }

  private func gaps(_ site: ServedSite) throws -> [String] {
    let scope = asked.scope
    return try site.inspect { reader in
      try reader.read { (recorder) throws(StoreError) in
        try recorder.gaps(in: scope, after: 0, limit: 1_000)
      }
    }.map { "\($0.notificationUUID) \($0.reason.rawValue)" }.sorted()
  }
}
