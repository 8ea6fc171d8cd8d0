import AppStoreModel
import EntitlementKit
import EntitlementKitTesting
import Foundation
import Testing

struct CacheTests {
  @Test(arguments: Route.allCases)
  func `before the store answers, the cache is what was last known and no more`(
    route: Route
  ) async {
    await Stage(route: route).run { stage in
      stage.device.buyNonConsumable("pro.lifetime")
      var kit: Entitlements? = await stage.launch()
      #expect(kit?.pro.source == .store)
      kit = nil
      let next = stage.start()
      #expect(next.storeState == .connecting || next.storeState == .live)
      #expect(await next.becomes("entitled"))
    }
  }

  @Test(arguments: [(2, true), (4, false)])
  func `offline and without a listing, the last known holds as long as was stated`(
    days: Int, allowed: Bool
  ) async {
    await Stage(route: .direct).run { stage in
      stage.device.buyNonConsumable("pro.lifetime")
      var kit: Entitlements? = await stage.launch()
      #expect(kit?.word == "entitled")
      kit = nil
      stage.device.goOffline()
      stage.device.listNothing()
      stage.device.advance(days: days)
      let next = await stage.launch()
      #expect(next.word == "lastKnown")
      #expect(next.allows("pro") == allowed)
      #expect(next.pro.source == .cache)
    }
  }

  @Test func `the last known never outlives the period that was paid for`() async {
    var stage = Stage(route: .direct)
    stage.rules = [
      EntitlementRule(
        "pro", products: ["pro.monthly"], whenUnknown: .keepLastKnown(for: .days(365)))
    ]
    await stage.run { stage in
      stage.device.subscribe(to: "pro.monthly")
      var kit: Entitlements? = await stage.launch()
      #expect(kit?.word == "entitled")
      kit = nil
      stage.device.listNothing()
      stage.device.failStatuses()
      stage.device.advance(days: 29)
      let next = await stage.launch()
      #expect(next.allows("pro"))
      stage.device.advance(days: 2)
      #expect(!next.allows("pro"))
    }
  }

  @Test func `a refund is cached as readily as a purchase`() async {
    await Stage(route: .direct).run { stage in
      let id = stage.device.buyNonConsumable("pro.lifetime")
      var kit: Entitlements? = await stage.launch()
      stage.device.refund(id)
      #expect(await kit?.becomes("refunded") == true)
      kit = nil
      stage.device.goOffline()
      stage.device.listNothing()
      let next = stage.start()
      #expect(next.word == "refunded")
      #expect(next.pro.source == .cache)
    }
  }

  @Test(arguments: ["", "nonsense", "0000\n{}"])
  func `a corrupted cache is ignored and reported`(text: String) async {
    await Stage(route: .direct).run { stage in
      stage.cache.write(Array(text.utf8))
      stage.device.buyNonConsumable("pro.lifetime")
      let kit = stage.start()
      let told = await kit.changes.first { change in
        if case .cacheIgnored(.corrupted) = change { true } else { false }
      }
      #expect(told != nil)
      #expect(await kit.becomes("entitled"))
    }
  }

  @Test func `another app's cache is ignored`() throws {
    let realm = Realm.test(fingerprint: String(repeating: "0", count: 64))
    let mine = Holdings(rules: [Stage.pro], realm: realm, bundleID: "com.example.app")
    let bytes = mine.cached(at: Timestamp(millisecondsSince1970: 1))
    var other = Holdings(rules: [Stage.pro], realm: realm, bundleID: "com.example.other")
    #expect(throws: CacheProblem.foreign) { try other.restore(cached: bytes) }
    var apple = Holdings(rules: [Stage.pro], realm: .apple, bundleID: "com.example.app")
    #expect(throws: CacheProblem.foreign) { try apple.restore(cached: bytes) }
  }

  @Test func `one changed byte is found`() {
    let realm = Realm.test(fingerprint: String(repeating: "0", count: 64))
    let mine = Holdings(rules: [Stage.pro], realm: realm, bundleID: "com.example.app")
    let bytes = mine.cached(at: Timestamp(millisecondsSince1970: 1))
    for place in bytes.indices {
      var damaged = bytes
      damaged[place] ^= 1
      var other = Holdings(rules: [Stage.pro], realm: realm, bundleID: "com.example.app")
      #expect(throws: CacheProblem.corrupted) { try other.restore(cached: damaged) }
    }
  }

  @Test func `a file is written whole, read back, and its absence is no problem`() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("kit-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let cache = FileCache(file: folder.appendingPathComponent("a/entitlements.cache"))
    #expect(try cache.read() == nil)
    try cache.write([1, 2, 3])
    try cache.write([4])
    #expect(try cache.read() == [4])
    let names = try FileManager.default.contentsOfDirectory(
      atPath: folder.appendingPathComponent("a").path)
    #expect(names == ["entitlements.cache"])
    let blocked = FileCache(file: cache.file.appendingPathComponent("below/a-file"))
    #expect(throws: CacheProblem.self) { try blocked.write([1]) }
  }

  @Test func `each app has its own folder, and its reports another file than its entitlements`() {
    let files = [FileCache.entitlements.file, FileCache.reports.file]
    #expect(Set(files.map(\.lastPathComponent)) == ["entitlements.cache", "reports.queue"])
    let app = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
    for file in files {
      let folders = file.deletingLastPathComponent().pathComponents.suffix(2)
      #expect(Array(folders) == ["EntitlementKit", app])
    }
  }
}
