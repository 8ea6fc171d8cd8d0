import AppStoreModel
import AppStoreSimulator

/// `clawback simulate`: plays a story of the simulated App Store.
struct SimulateCommand: Command {
  private let scenario = Operand.optional(
    "SCENARIO", "A name of --list, its number, a scenario file, or a recording.")
  private let seed = Option.number(
    "seed", in: 0...Int.max, default: 1, "What keys, ids and chance are made from.")
  private let target = Option.text("to", "URL", "Post the notifications there.")
  private let wait = Option<Int>.number(
    "wait", in: 0...600, default: 5,
    "How many seconds to wait for a server that does not listen there yet.")
  private let port = Option<Int?>.number(
    "port", in: 0...65_535,
    "Answer the App Store Server API there until stopped; 0 lets the system choose.")
  private let out = Option.text("out", "FILE", "Write them there, one JSON object a line.")
  private let record = Option.text(
    "record", "FILE", "Write there what was posted and answered, to be posted again.")
  private let faults = Option.flag(
    "faults",
    "With --to: let go wrong on the way what the scenario plans, and send again by Apple's "
      + "timetable, on the scenario's own clock.")
  private let show = Option.flag("print", "Print the scenario's own file, to copy and change.")
  private let rootOut = Option.text(
    "root-out", "FILE", "Write the root certificate there, in DER form.")
  private let keyOut = Option.text(
    "key-out", "FILE", "With --port: write the API's .p8 key there, for its owner alone.")
  private let order = Option.choice(
    "order", DeliveryOrder.allCases.map(\.rawValue), "How they arrive: as given if not stated.")
  private let repeats = Option.number(
    "repeat", in: 1...1_000, default: 1, "How often each is sent.")
  private let bundleID = Option.text(
    "bundle-id", "ID", default: SimulatedApp().bundleId, "The app's bundle id.")
  private let appAppleID = Option.number(
    "app-apple-id", in: 1...Int.max, default: Int(SimulatedApp().appAppleId),
    "The app's id in the App Store.")
  private let environment = Option.choice(
    "environment", ["Sandbox", "Production"], "What the notifications say: Sandbox if not stated.")
  private let list = Option.flag("list", "List the scenarios.")
  private let json = Option<Bool>.json

  var usage: Usage {
    Usage(
      "simulate", "Play a story of the simulated App Store, correctly signed.",
      discussion: """
        A seed always gives the same root certificate: a server that trusts it once trusts it \
        for good. Without --to the story is the same byte for byte, and goes to standard output \
        unless --out is stated; with --to its last step happens now. A recording is posted as it \
        is, byte for byte. Never let a server with \
        real purchases trust such a root.
        """,
      operands: [scenario],
      options: [
        seed, target, wait, port, out, record, rootOut, keyOut, order, repeats, bundleID,
        appAppleID,
        environment,
        list, faults, show, json,
      ],
      example: "clawback simulate 22 --to http://127.0.0.1:8080/apple/notifications",
      exitCodes: [
        (
          .success,
          "Everything was written, and every post was taken, but for forgeries, which were refused."
        ),
        (.failure, "A file could not be written, a post was not taken, or a forgery was."),
        (.unusable, "The command line or the scenario cannot be used."),
      ])
  }

  func run(_ arguments: Arguments, on console: Console) throws -> ExitCode {
    if arguments[list] {
      try ScenarioList.print(asJSON: arguments[json], on: console)
      return .success
    }
    if arguments[show] { return try printFile(arguments, on: console) }
    try check(arguments)
    let performance = try performance(arguments)
    if let path = arguments[rootOut] { try OutputFile.write(performance.root, to: path) }
    if let port = arguments[port] {
      if let path = arguments[out] {
        try OutputFile.write(lines: performance.lines, to: path)
      }
      try ServedStory.serve(
        performance, port: UInt16(port), receiver: arguments[target], patience: arguments[wait],
        keyFile: arguments[keyOut], asJSON: arguments[json], on: console)
      return .success
    }
    if let path = arguments[out] {
      try OutputFile.write(lines: performance.lines, to: path)
    } else if arguments[target] == nil, arguments[rootOut] == nil {
      for line in performance.lines { console.print(line) }
    }
    guard let url = arguments[target] else {
      console.note("\(performance.summary) Root: \(performance.rootFingerprint).")
      return .success
    }
    try HTTPConnection.waitForListener(at: url, seconds: arguments[wait])
    let deliveries = try deliveries(performance, to: url, arguments[faults], on: console)
    if let path = arguments[record] {
      try OutputFile.write(Recording.bytes(deliveries), to: path)
    }
    let report = DeliveryReport(performance, deliveries)
    try report.print(asJSON: arguments[json], on: console)
    return report.isAsExpected ? .success : .failure
  }

  private func deliveries(
    _ performance: Performance, to url: String, _ isPlanned: Bool, on console: Console
  ) throws -> [Delivery] {
    guard let played = performance.played else {
      return try Delivery.all(of: performance, to: url, on: console)
    }
    if isPlanned {
      return try TimetabledDelivery.all(of: performance, played, to: url, on: console)
    }
    if played.concernsDelivery {
      console.note("What the scenario plans to go wrong on the way happens only with --faults.")
    }
    return try Delivery.all(of: performance, to: url, on: console)
  }

  /// Refuses what would do nothing, and an address that is none.
  private func check(_ arguments: Arguments) throws {
    if let url = arguments[target], let fault = HTTPConnection.fault(in: url) {
      throw UsageError.badValue("--to", url, expected: fault.expected)
    }
    let isServed = arguments[port] != nil
    let isArranged = arguments[order] != nil || arguments[repeats] > 1
    let pairs: [(Bool, String, Bool, String)] = [
      (arguments[record] != nil, "--record", isServed, "--port"),
      (arguments[faults], "--faults", isServed, "--port"),
      (isArranged, arguments[order] == nil ? "--repeat" : "--order", isServed, "--port"),
      (isArranged, arguments[order] == nil ? "--repeat" : "--order", arguments[faults], "--faults"),
      (
        arguments[json], "--json", arguments[out] != nil && arguments[target] == nil && !isServed,
        "--out"
      ),
    ]
    for (one, name, other, second) in pairs where one && other {
      throw UsageError.notTogether(name, second)
    }
    for (isStated, name) in [
      (arguments[record] != nil, "--record"), (arguments[faults], "--faults"),
    ]
    where isStated && arguments[target] == nil {
      throw UsageError.needs(name, "--to")
    }
    if arguments[keyOut] != nil, !isServed { throw UsageError.needs("--key-out", "--port") }
  }

  private func printFile(_ arguments: Arguments, on console: Console) throws -> ExitCode {
    guard let word = arguments[scenario] else { throw UsageError.missingOperand("SCENARIO") }
    let name = try ScenarioFile.scenario(word).name
    let text = try Scenario.file(of: name) ?? InputFile.read(word)
    console.print(String(decoding: text, as: UTF8.self).trimmingEnd)
    return .success
  }

  private func performance(_ arguments: Arguments) throws -> Performance {
    guard let word = arguments[scenario] else { throw UsageError.missingOperand("SCENARIO") }
    let seed = UInt64(arguments[seed])
    let order = arguments[order].flatMap(DeliveryOrder.init) ?? .given
    if Recording.isNamed(by: word) {
      return try Performance(recorded: word, seed: seed, order: order, repeats: arguments[repeats])
    }
    let app = SimulatedApp(
      bundleId: arguments[bundleID], appAppleId: Int64(arguments[appAppleID]),
      environment: arguments[environment].map { AppStoreEnvironment(rawValue: $0) } ?? .sandbox)
    do {
      return try Performance(
        try ScenarioFile.scenario(word), app: app, seed: seed,
        endingAt: arguments[target] == nil && arguments[port] == nil
          ? Performance.archiveEnd : WallClock.now,
        order: order, repeats: arguments[repeats])
    } catch let error as ScenarioFailure {
      throw ScenarioFile.failure(error, of: word)
    }
  }
}

extension String {
  fileprivate var trimmingEnd: String { hasSuffix("\n") ? String(dropLast()) : self }
}
