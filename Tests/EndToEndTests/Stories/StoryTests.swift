import AppStoreModel
import AppStoreSimulator
import EntitlementKit
import Foundation
import Testing

/// The scenario files of `Examples/Stories`: one text drives device and server.
struct StoryTests {
  private static let minute: Int64 = 60_000
  private static let hour: Int64 = 60 * minute

  /// Who told the server, and how long after the refund.
  struct Told: Hashable, Sendable {
    let channel: String
    let delayMs: Int64

    init(_ channel: String, _ delayMs: Int64) {
      self.channel = channel
      self.delayMs = delayMs
    }
  }

  /// A story, and who told the server of its refund, how long after it.
  struct Story: Sendable, CustomTestStringConvertible {
    let name: String
    let told: [Told]
    /// Whether the device is right in the end.
    let deviceKnows: Bool

    var testDescription: String { name }
  }

  @Test(arguments: [
    Story(
      name: "device-first", told: [Told("device", 0), Told("notification", 3 * hour)],
      deviceKnows: true),
    Story(
      name: "notification-first", told: [Told("notification", 0), Told("device", 48 * hour)],
      deviceKnows: true),
    Story(name: "device-gone", told: [Told("notification", 0)], deviceKnows: false),
    Story(
      name: "server-down", told: [Told("device", 30 * minute), Told("notification", hour)],
      deviceKnows: true),
  ])
  func `a refund is one revocation, however it was heard of`(_ story: Story) async throws {
    let theatre = try StoryTheatre(story.name)
    defer { theatre.close() }
    try await theatre.play()
    let ada = try #require(theatre.stage.store.customers.first)
    let player = try #require(theatre.players[ada.name])
    let product = SimulatedProduct.themes.id
    #expect(player.kit?.allows(product) == !story.deviceKnows)
    #expect(try theatre.verdict(product, of: ada) == "denied")

    let purchase = try #require(
      theatre.stage.store.deviceTransactions(of: ada, signedAt: theatre.stage.now).first)
    let id = try #require(purchase.transactionId)
    let revokedAt = try #require(purchase.revocationDate).millisecondsSince1970
    let timeline = try theatre.timeline(of: ada)
    let sightings = timeline.sightings(of: id)
    #expect(sightings.map { Told($0.channel, $0.delayMs) } == story.told)
    #expect(sightings.allSatisfy { $0.revokedAtMs == revokedAt })
    #expect(sightings.allSatisfy { $0.atMs - $0.revokedAtMs == $0.delayMs })
    #expect(timeline.denials == 1)
    let refunds = try theatre.get("/v1/refunds")
    #expect(refunds.components(separatedBy: #""transactionId":"\#(id)""#).count == 2)
  }

  @Test func `while the server is down the device acts alone`() async throws {
    let theatre = try StoryTheatre("server-down")
    defer { theatre.close() }
    try await theatre.play(steps: 2)
    let ada = try #require(theatre.stage.store.customers.first)
    #expect(theatre.clock.isServerDown)
    #expect(theatre.players[ada.name]?.kit?.allows(SimulatedProduct.themes.id) == false)
    #expect(try theatre.verdict(SimulatedProduct.themes.id, of: ada) == "granted")
  }

  @Test func `a device that shows a reversal never opens what the server has closed`()
    async throws
  {
    let theatre = try StoryTheatre("reversal")
    defer { theatre.close() }
    try await theatre.play(steps: 3)
    let ada = try #require(theatre.stage.store.customers.first)
    let product = SimulatedProduct.themes.id
    #expect(theatre.players[ada.name]?.kit?.allows(product) == true)
    #expect(try theatre.verdict(product, of: ada) == "denied")
    try await theatre.play()
    #expect(theatre.players[ada.name]?.kit?.allows(product) == true)
    #expect(try theatre.verdict(product, of: ada) == "granted")
  }

  @Test func `every file of the folder is told by a test`() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Examples/Stories").standardizedFileURL
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(
      files.sorted() == [
        "device-first.json5", "device-gone.json5", "notification-first.json5", "reversal.json5",
        "server-down.json5",
      ])
  }
}

extension StoryTheatre {
  fileprivate func verdict(_ product: String, of customer: Customer) throws -> String? {
    let answer = try get("/v1/customers/\(customer.appAccountToken ?? "")/entitlements/\(product)")
    return try JSONValue(json: Array(answer.utf8))["decision"]?["verdict"]?.string
  }

  fileprivate func timeline(of customer: Customer) throws -> Timeline {
    try Timeline(get("/v1/customers/\(customer.appAccountToken ?? "")/timeline"))
  }
}
