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
    store = try BusyStore(customers: 60)
    site = try store.site()
  }

  @Test(.timeLimit(.minutes(10)))
  func `kill -9 under load loses nothing acknowledged and applies nothing twice`() throws {
    let texts = store.notifications
    var dice = SeededGenerator(seed: 9)
    let places = Dictionary(uniqueKeysWithValues: zip(texts, texts.indices))
    var acknowledged: Set<Int> = []
    var unanswered: Set<Int> = []
    for round in 1...3 {
      let goal = texts.count * round / 4
      let rest = Array(texts.indices).filter { !acknowledged.contains($0) }.shuffled(using: &dice)
      unanswered.formUnion(try crash(after: goal - acknowledged.count, rest, &acknowledged))
      let stored = try storedTexts()
      let found = stored.compactMap { places[$0] }
      #expect(found.count == stored.count, "what nobody sent is there")
      #expect(Set(found).count == stored.count, "a notification is there twice")
      #expect(acknowledged.subtracting(found) == [], "an acknowledged notification is lost")
      #expect(Set(found).subtracting(acknowledged).subtracting(unanswered) == [])
      #expect(try site.inspect { try $0.digest() } == digest(of: stored))
    }
    let served = try ServedProcess(site)
    let everything = Posters(
      6, url: served.url, texts: texts,
      order: (Array(texts.indices) + acknowledged).shuffled(using: &dice))
    everything.wait()
    #expect(everything.acknowledged.count == texts.count + acknowledged.count)
    #expect(served.stop() == 0)
    let found = try storedTexts().compactMap { places[$0] }
    #expect(found.sorted() == Array(texts.indices))
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
    let stored = Set(try storedTexts())
    let lost = ([0] + posters.acknowledged).filter { !stored.contains(store.notifications[$0]) }
    #expect(lost == [])
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
