import AppStoreModel
import AppStoreSimulator
import AppStoreVerification
import EntitlementLedger
import Foundation
import LedgerServer
import SQLiteStorage
import Testing

/// One scenario file, told by notifications to a server and by StoreKit to an app on each customer's
/// device, which reports to that server: everything on the story's own clock.
final class StoryTheatre {
  let service: LedgerService
  let clock: StoryClock
  /// The stage as it is at the step that was told last.
  private(set) var stage: Stage
  private(set) var players: [String: StoryPlayer] = [:]
  private let later: [Stage]
  private let signer: JWSSigner
  private let connection: HTTPConnection
  private let log = Log(descriptor: -1)
  private var outbox: Outbox
  private var told = 0
  private var secrets: [String: String] = [:]

  /// Opens the file of that name in `Examples/Stories`, with a server that has heard nothing.
  init(_ name: String) throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Examples/Stories/\(name).json5").standardizedFileURL
    let scenario = try Scenario(json5: Array(try Data(contentsOf: file)), name: name)
    (stage, later) = try scenario.stages(
      seed: 7, endingAt: Timestamp(millisecondsSince1970: 1_790_000_000_000))
    let authority = CertificateAuthority(seed: 7)
    signer = JWSSigner(authority)
    let app = stage.store.app
    let faults = DeliveryFaults(scenario.faults, from: stage.start)
    outbox = Outbox(in: app.environment, faults: faults, seed: 7)
    let clock = StoryClock(stage.start, faults)
    self.clock = clock
    var configuration = Configuration(
      apps: [.init(bundleId: app.bundleId, appAppleId: app.appAppleId)],
      environments: [app.environment])
    configuration.root = .certificate(authority.root.der)
    configuration.listener.port = 0
    let store = try SQLiteStore(
      .memory, realm: try configuration.trustedRoot().realm, now: stage.start)
    service = try LedgerService(configuration, store: store, log: log, clock: clock.server)
    connection = try HTTPConnection()
  }

  func close() {
    players = [:]
    service.stop()
    log.close()
  }

  /// Tells the next steps, as many as are named, or all that are left.
  ///
  /// After each, an app that is open and online must be right, and its reports must be with the server
  /// if that is up.
  func play(steps: Int = .max) async throws {
    for next in later.dropFirst(count).prefix(steps) {
      count += 1
      try await deliver(until: next.now.subtracting(TimeSpan(milliseconds: 1)))
      try await turn(to: next.now)
      stage = next
      for notification in next.store.notifications.dropFirst(told) { outbox.add(notification) }
      told = next.store.notifications.count
      try await deliver(until: next.now)
      for customer in next.store.customers { try await player(of: customer).follow(next) }
    }
  }

  private var count = 0

  /// Posts what is due, each at its own time.
  private func deliver(until moment: Timestamp) async throws {
    while let sent = outbox.next(until: moment) {
      try await turn(to: sent.date)
      let jws = NotificationSigner(signer).sign(sent.notification)
      let status = try connection.post(
        "{\"signedPayload\":\"\(jws)\"}", to: url + "/apple/notifications"
      ).status
      outbox.record(SendAttempt.Result(status: status), of: sent)
    }
  }

  /// Lets time pass, and whoever waited for it do what it waited for.
  private func turn(to moment: Timestamp) async throws {
    clock.turn(to: moment)
    for player in players.values { try await player.turn(to: moment) }
  }

  private func player(of customer: Customer) throws -> StoryPlayer {
    if let known = players[customer.name] { return known }
    let player = StoryPlayer(
      customer, in: stage, signer: signer, clock: clock,
      server: try #require(URL(string: url)), key: try secret("device"))
    players[customer.name] = player
    return player
  }

  var url: String { "http://127.0.0.1:\(service.port)" }

  private func secret(_ scope: String) throws -> String {
    if let known = secrets[scope] { return known }
    let app = stage.store.app
    let answer = try JSONValue(
      json: service.operations.run(
        .object([
          .init("command", .string("keys.create")), .init("name", .string(scope)),
          .init("scope", .string(scope)), .init("apps", .array([.string(app.bundleId)])),
          .init("environment", .string(app.environment.rawValue)),
        ])))
    let secret = try #require(answer["secret"]?.string)
    secrets[scope] = secret
    return secret
  }

  /// What the server answers a backend.
  func get(_ path: String) throws -> String {
    let answer = try connection.get(
      url + path, headers: ["Authorization: Bearer " + secret("read")])
    #expect(answer.status == 200, "\(path)")
    return String(decoding: answer.body, as: UTF8.self)
  }
}
