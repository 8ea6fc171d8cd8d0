import AppStoreModel
import EntitlementLedger
import Foundation
import LedgerStorage
import Testing

/// A served ledger and notifications that Apple really signed; they are no part of this repository.
///
/// `CLAWBACK_REAL_SIGNED` names the folder that holds them, one compact JWS a file.
struct AppleArchiveTests {
  private static let folder = ProcessInfo.processInfo.environment["CLAWBACK_REAL_SIGNED"]
  private static let notice: Comment = "CLAWBACK_REAL_SIGNED names no folder of signed texts"

  private static let apps: [ServedSite.App] = [
    .init(bundleId: "com.audaos.audarecorder", appAppleId: 1),
    .init(bundleId: "com.Abilities", appAppleId: 2),
    .init(bundleId: "com.nineton.taller", appAppleId: 6_450_284_872),
    .init(bundleId: "com.cynet.xingqi", appAppleId: 1_659_344_089),
    .init(bundleId: "com.loki-project.loki-messenger", appAppleId: 1_470_168_868),
    .init(bundleId: "com.example.app", appAppleId: 3),
    .init(bundleId: "com.example", appAppleId: 1_234),
  ]

  private static let genuine = ["011", "019", "021", "029", "030", "031", "038"]
  private static let refused = ["084", "088", "094"]

  /// A purchase that a genuine notification is about: nobody but its owner's backend knows whose it
  /// is, except where Apple names the account.
  private struct Purchase {
    let app: String
    let originalTransactionId: String
    var account: String?
    /// What the timeline is to show, in order of arrival.
    let shows: [String]

    var customer: String { account ?? "owner-of-" + originalTransactionId }
  }

  private static let purchases = [
    Purchase(
      app: "com.audaos.audarecorder", originalTransactionId: "2000000000842607",
      shows: ["DID_RENEW"]),
    Purchase(
      app: "com.cynet.xingqi", originalTransactionId: "2000000848445242",
      shows: ["ONE_TIME_CHARGE"]),
    Purchase(
      app: "com.cynet.xingqi", originalTransactionId: "2000000849195831",
      shows: ["CONSUMPTION_REQUEST", "REFUND"]),
    Purchase(
      app: "com.loki-project.loki-messenger", originalTransactionId: "2000001024993299",
      account: "atx:704897469903383919", shows: ["DID_RENEW"]),
  ]

  /// What the customers' backends are told, and what the server tells of itself.
  private struct View: Equatable {
    var timelines: [String] = []
    var entitlements: [String] = []
    var events: [String] = []
  }

  @Test(.enabled(if: folder != nil, notice))
  func `what Apple signed is taken, shown, and still there after a crash`() throws {
    let site = try ServedSite(apps: Self.apps, "acceptArchives: true")
    var served = try ServedProcess(site)
    let keys = try Self.keys(site)
    #expect(try Self.post(Self.genuine, to: served) == Self.genuine.map { _ in 200 })
    try Self.own(served, keys)
    let first = try Self.view(served, keys)
    try Self.checkTimelines(first, effect: "applied")
    let refunds = first.timelines.filter { $0.contains(#""kind":"posting""#) }
    #expect(refunds.count == 1)
    #expect(refunds.allSatisfy { $0.contains(#""milliunits":4990,"currency":"USD""#) })

    #expect(try Self.post(Self.genuine, to: served) == Self.genuine.map { _ in 200 })
    #expect(try Self.view(served, keys) == first)
    served.crash()
    let digest = try site.inspect { try $0.digest() }
    try Self.checkBytes(site)

    served = try ServedProcess(site)
    #expect(try Self.view(served, keys) == first)
    #expect(try Self.post(Self.genuine, to: served) == Self.genuine.map { _ in 200 })
    #expect(try Self.view(served, keys) == first)
    #expect(served.stop() == 0)
    #expect(try site.inspect { try $0.digest() } == digest)
    try Self.checkBytes(site)
  }

  @Test(.enabled(if: folder != nil, notice))
  func `what was signed long ago is kept and shown, and changes nothing`() throws {
    let site = try ServedSite(apps: Self.apps)
    let nothing = try site.inspect { try $0.digest() }
    var served = try ServedProcess(site)
    let keys = try Self.keys(site)
    #expect(try Self.post(Self.genuine, to: served) == Self.genuine.map { _ in 200 })
    #expect(try Self.post(Self.genuine, to: served) == Self.genuine.map { _ in 200 })
    let anonymous = try #require(Self.purchases.last)
    let shown = try served.get(Self.path(anonymous, "timeline"), key: keys[anonymous.app] ?? "")
    #expect(shown.contains(#""effect":"held""#))
    let untold = try served.get("/v1/events", key: keys[anonymous.app] ?? "")
    #expect(untold == #"{"events":[],"next":0}"#)
    try Self.own(served, keys)
    let view = try Self.view(served, keys)
    try Self.checkTimelines(view, effect: "held")
    #expect(view.timelines.allSatisfy { !$0.contains(#""kind":"posting""#) })
    #expect(view.entitlements.allSatisfy { $0.contains(#""entitlements":[]"#) })
    served.crash()
    #expect(try site.inspect { try $0.digest() } == nothing)
    try Self.checkBytes(site)
    served = try ServedProcess(site)
    #expect(try Self.view(served, keys) == view)
    #expect(served.stop() == 0)
  }

  @Test(.enabled(if: folder != nil, notice))
  func `what was held acts once archives are accepted`() throws {
    let site = try ServedSite(apps: Self.apps)
    let straight = try ServedSite(apps: Self.apps, "acceptArchives: true")
    let served = try ServedProcess(site)
    #expect(try Self.post(Self.genuine, to: served) == Self.genuine.map { _ in 200 })
    #expect(served.stop() == 0)
    try site.rewrite("acceptArchives: true")
    for place in [site, straight] {
      let again = try ServedProcess(place)
      #expect(try Self.post(Self.genuine, to: again) == Self.genuine.map { _ in 200 })
      #expect(again.stop() == 0)
    }
    let digests = try [site, straight].map { try $0.inspect { try $0.digest() } }
    #expect(digests[0] == digests[1])
  }

  @Test(.enabled(if: folder != nil, notice))
  func `what Apple did not sign like this is refused and gives nothing`() throws {
    let site = try ServedSite(apps: Self.apps, "acceptArchives: true")
    let nothing = try site.inspect { try $0.digest() }
    let served = try ServedProcess(site)
    for _ in 0..<2 { #expect(try Self.post(Self.refused, to: served) == [400, 400, 400]) }
    #expect(served.stop() == 0)
    #expect(try site.inspect { try $0.digest() } == nothing)
    #expect(try site.inspect { try $0.counts().facts } == 0)
  }
}

extension AppleArchiveTests {
  private static func text(_ name: String) throws -> String {
    let file = URL(filePath: folder ?? "").appending(path: name + ".txt")
    return try String(contentsOf: file, encoding: .utf8)
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private static func post(_ names: [String], to served: ServedProcess) throws -> [Int] {
    try names.map { try served.post(text($0)) }
  }

  private static func keys(_ site: ServedSite) throws -> [String: String] {
    var keys: [String: String] = [:]
    for app in Set(purchases.map(\.app)) {
      keys[app] = try site.key("admin of \(app)", scope: "admin", app: app)
    }
    return keys
  }

  /// A backend says whose the purchases are that carry nobody's name.
  private static func own(_ served: ServedProcess, _ keys: [String: String]) throws {
    for purchase in purchases where purchase.account == nil {
      let path =
        "/v1/customers/\(purchase.customer)/purchases/\(purchase.originalTransactionId)/transfer"
      let status = try served.post(
        path, #"{"reason":"known to us"}"#, key: keys[purchase.app] ?? "")
      #expect(status == 200)
    }
  }

  private static func path(_ purchase: Purchase, _ what: String) -> String {
    "/v1/customers/\(purchase.customer)/\(what)"
  }

  private static func view(_ served: ServedProcess, _ keys: [String: String]) throws -> View {
    var view = View()
    for purchase in purchases {
      let key = keys[purchase.app] ?? ""
      view.timelines.append(try served.get(path(purchase, "timeline"), key: key))
      let entitlements = try served.get(path(purchase, "entitlements"), key: key)
      let end = entitlements.range(of: ",\"asOfMs\"")?.lowerBound ?? entitlements.endIndex
      view.entitlements.append(String(entitlements[..<end]))
      view.events.append(try served.get("/v1/events", key: key))
    }
    return view
  }

  private static func checkTimelines(_ view: View, effect: String) throws {
    for (purchase, timeline) in zip(purchases, view.timelines) {
      let entries = try JSONValue(json: Array(timeline.utf8))["entries"]?.array ?? []
      let facts = entries.filter { $0["fact"]?.string == "notification" }
      #expect(facts.compactMap { $0["notificationType"]?.string } == purchase.shows)
      #expect(facts.allSatisfy { $0["effect"]?.string == effect })
      #expect(
        facts.allSatisfy {
          $0["originalTransactionId"]?.string == purchase.originalTransactionId
        })
    }
  }

  /// Every text is in the ledger exactly once, byte for byte.
  private static func checkBytes(_ site: ServedSite) throws {
    let kept = try site.inspect { try $0.notificationTexts() }
    let names = Dictionary(uniqueKeysWithValues: try genuine.map { (try text($0), $0) })
    #expect(kept.map { names[$0] ?? "another text" }.sorted() == genuine)
  }
}
