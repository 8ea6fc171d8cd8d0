import AppStoreModel
import AppStoreSimulator
import Foundation
import LedgerStorage
import Testing

/// A served ledger that is killed while many post to it.
struct CrashTests {
  private let store: BusyStore
  private let site: ServedSite

  init() throws {
    store = try BusyStore(customers: 80)
    site = try store.site()
  }

  @Test(.timeLimit(.minutes(2)))
  func `kill -9 under load loses nothing acknowledged and applies nothing twice`() throws {
    let texts = store.notifications
    var dice = SeededGenerator(seed: 9)
    var acknowledged: Set<Int> = []
    for round in 1...3 {
      let goal = texts.count * round / 4
      let rest = Array(texts.indices).filter { !acknowledged.contains($0) }.shuffled(using: &dice)
      let unanswered = try crash(after: goal - acknowledged.count, rest, &acknowledged)
      let stored = try storedTexts()
      let expected = Set(acknowledged.map { texts[$0] })
      #expect(stored.count == Set(stored).count, "a notification is there twice")
      #expect(expected.isSubset(of: stored), "an acknowledged notification is lost")
      #expect(Set(stored).subtracting(expected).isSubset(of: unanswered.map { texts[$0] }))
      #expect(try site.inspect { try $0.digest() } == digest(of: stored))
    }
    let served = try ServedProcess(site)
    let everything = Posters(
      6, url: served.url, texts: texts,
      order: (Array(texts.indices) + acknowledged).shuffled(using: &dice))
    everything.wait()
    #expect(everything.acknowledged.count == texts.count + acknowledged.count)
    #expect(served.stop() == 0)
    #expect(try storedTexts().sorted() == texts.sorted())
    #expect(try site.inspect { try $0.digest() } == digest(of: texts))
  }

  @Test(.timeLimit(.minutes(2)))
  func `SIGTERM under load answers what is in flight and ends with 0`() throws {
    let served = try ServedProcess(site)
    let half = try HalfRequest(
      port: served.port, path: "/apple/notifications",
      body: "{\"signedPayload\":\"\(store.notifications[0])\"}")
    let order = Array(store.notifications.indices.dropFirst())
    let posters = Posters(6, url: served.url, texts: store.notifications, order: order)
    while posters.acknowledged.count < 60 { sched_yield() }
    served.beginStopping()
    posters.wait()
    #expect(posters.refused == [])
    half.sendRest()
    #expect(half.answer().hasPrefix("HTTP/1.1 200 "))
    #expect(served.exitCode() == 0)
    let expected = ([0] + posters.acknowledged).map { store.notifications[$0] }
    #expect(Set(expected).isSubset(of: try storedTexts()))
    #expect(site.logged.contains(#""event":"stopped""#), "\(site.logged.suffix(300))")
  }

  /// Serves until so many more are acknowledged, and kills.
  ///
  /// - Returns: What was sent and not answered.
  private func crash(
    after count: Int, _ order: [Int], _ acknowledged: inout Set<Int>
  ) throws -> [Int] {
    let served = try ServedProcess(site)
    let posters = Posters(6, url: served.url, texts: store.notifications, order: order)
    while posters.acknowledged.count < count { sched_yield() }
    served.crash()
    posters.wait()
    #expect(posters.refused == [])
    acknowledged.formUnion(posters.acknowledged)
    return posters.unanswered
  }

  private func storedTexts() throws -> [String] {
    try site.inspect { try $0.notificationTexts() }
  }

  /// What an undisturbed replay into a ledger of its own prints.
  private func digest(of texts: [String]) throws -> String {
    let file = site.folder.appending(path: "archive.jsonl")
    try Data(texts.joined(separator: "\n").utf8).write(to: file)
    let replayed = try ServedProcess.run([
      "replay", file.path, "--database", "sqlite::memory:", "--root",
      site.folder.appending(path: "root.der").path, "--json",
    ])
    #expect(replayed.code == 0, "\(replayed.diagnostics)")
    let json = try JSONValue(json: Array(replayed.output.utf8))
    #expect(json["stored"]?.integer == Int64(texts.count))
    return try #require(json["digest"]?.string)
  }
}
