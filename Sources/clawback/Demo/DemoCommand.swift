import AppStoreModel
import AppStoreSimulator

/// `clawback demo`: the simulated App Store and the real server together.
struct DemoCommand: Command {
  struct Result: Encodable {
    let steps: [DemoStep]
    let money: DemoMoney
  }

  private let once = Option.flag("once", "End after the story instead of serving on.")
  private let port = Option.number(
    "port", in: 0...65_535, default: 0, "Where to serve; 0 takes a free port.")
  private let json = Option<Bool>.json

  var usage: Usage {
    Usage(
      "demo", "See a refund close the gate and a reversal open it.",
      discussion: """
        A simulated App Store sells, refunds, shares and sends signed notifications over HTTP to \
        the real server, whose ledger is in memory. Every number is measured.
        """,
      options: [once, port, json], example: "clawback demo --once",
      exitCodes: [
        (.success, "The story was played."),
        (.failure, "The server did not start or did not answer as it should."),
      ])
  }

  func run(_ arguments: Arguments, on console: Console) throws -> ExitCode {
    // Before the server's threads start, so that they leave the signals to this one.
    let signals = arguments[once] ? nil : StopSignals()
    let seed = UInt64(WallClock.now.millisecondsSince1970)
    let authority = CertificateAuthority(seed: seed)
    let server = try DemoServer(trusting: authority.root.der, port: UInt16(arguments[port]))
    defer { server.stop() }
    let narration = DemoNarration(console: console)
    if !arguments[json] { narration.begin(at: server.base) }
    var story = try DemoStory(
      SimulatedAppStore(seed: seed), signer: NotificationSigner(JWSSigner(authority)),
      gate: DemoGate(base: server.base, key: server.key, connection: HTTPConnection())
    ) { step in
      if !arguments[json] { narration.tell(step) }
    }
    try story.play()
    if arguments[json] {
      try console.print(json: Result(steps: story.steps, money: story.money))
    } else {
      narration.end(story.money)
    }
    if let signals { serveOn(server, story, until: signals, console) }
    return .success
  }

  private func serveOn(
    _ server: DemoServer, _ story: DemoStory, until signals: StopSignals, _ console: Console
  ) {
    let customers = "\(server.base)/v1/customers"
    let key = "-H 'Authorization: Bearer \(server.key)'"
    console.note("")
    console.note("The server stays up; Ctrl-C ends it. Ask it what it knows:")
    console.note("  curl \(key) \(customers)/\(story.name(of: story.ada))/entitlements/pro")
    console.note("  curl \(key) \(customers)/\(story.name(of: story.cleo))/timeline")
    signals.wait()
  }
}
