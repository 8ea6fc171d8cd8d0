import AppStoreModel
import AppStoreSimulator

/// The simulated App Store while it answers calls: what a caller needs, and its end.
struct ServedStory: Encodable {
  let scenario: String
  let seed: UInt64
  let url: String
  let sandboxUrl: String
  let issuerId: String
  let keyId: String
  /// Shape: the text of a `.p8` file.
  let privateKey: String
  /// Where that was written; absent where it was only told.
  let keyFile: String?
  let bundleId: String
  let appAppleId: Int64
  let environment: String
  let rootFingerprint: String

  init(
    _ performance: Performance, _ app: SimulatedApp, _ key: APIKey, keyFile: String?, url: String
  ) {
    scenario = performance.name
    seed = performance.seed
    self.url = url
    sandboxUrl = url + "/sandbox"
    issuerId = key.issuerId
    keyId = key.keyId
    privateKey = key.key.pem
    self.keyFile = keyFile
    bundleId = app.bundleId
    appAppleId = app.appAppleId
    environment = app.environment.rawValue
    rootFingerprint = performance.rootFingerprint
  }

  /// Serves a story until the process is told to stop.
  ///
  /// A receiver that does not listen yet gets its notifications once it does, or `patience` is over:
  /// its configuration needs the key that is told here.
  static func serve(
    _ performance: Performance, port: UInt16, receiver: String?, patience: Int, keyFile: String?,
    asJSON: Bool, on console: Console
  ) throws {
    let signals = StopSignals()
    guard let played = performance.played else {
      throw CommandFailure(
        "A recording has no App Store behind it that could answer.",
        advice: "Leave --port out, or name a scenario.", code: .unusable)
    }
    let server = SimulatedServer(
      played.store, seed: performance.seed, signer: performance.signer,
      faults: played.faults, from: played.start, hasReceiver: receiver != nil, at: WallClock.now)
    if let keyFile { try OutputFile.writeSecret(Array(server.key.key.pem.utf8), to: keyFile) }
    guard let listener = SimulatorListener(server, port: port) else {
      throw CommandFailure(
        "Port \(port) cannot be bound.", advice: "Choose another one, or 0 for any that is free.")
    }
    let story = ServedStory(
      performance, played.store.app, server.key, keyFile: keyFile, url: listener.url)
    try story.print(played.store.customers, asJSON: asJSON, on: console)
    if let receiver {
      try HTTPConnection.waitForListener(at: receiver, seconds: patience)
      listener.deliver(to: receiver)
    }
    signals.wait()
    signals.exitAtTheNext()
    listener.stop()
  }

  private func print(
    _ customers: [Customer], asJSON: Bool, on console: Console
  ) throws {
    if asJSON { return try console.print(json: self) }
    let rows =
      [
        ["production", url], ["sandbox", sandboxUrl], ["story", "\(scenario), in \(environment)"],
        ["app", "\(bundleId), \(appAppleId)"], ["issuer id", issuerId], ["key id", keyId],
        ["root", rootFingerprint],
      ] + customers.map { ["customer \($0.name)", $0.defaultID] }
    for line in TextTable(rows: rows).lines { console.print(line) }
    console.print(privateKey)
    for line in clientLines.text { console.print(line) }
  }
}
