import AppStoreModel
import AppStoreServerAPI
import LedgerServer

/// Checks a set-up against the App Store and says in plain words what is wrong.
struct DoctorCommand: Command {
  private let config = ConfigurationFile.option
  private let log = LogFile.option
  private let wait = Option<Int>.number(
    "wait", in: 1...600, default: 60, "How many seconds to wait for a test notification.")

  var usage: Usage {
    Usage(
      "doctor", "Check key, clock, root, address, TLS and configuration against the App Store.",
      discussion: """
        A test notification is requested for every app and environment, and followed until it has \
        arrived here. While no server runs, doctor serves in its place.
        """,
      options: [config, wait, log, Option<Bool>.json],
      example: "clawback doctor --config clawback.json5",
      exitCodes: [
        (.success, "All is well."), (.failure, "Something needs your attention."),
        (.unusable, "The command line or the configuration cannot be used."),
      ])
  }

  func run(_ arguments: Arguments, on console: Console) throws -> ExitCode {
    let configuration = try ConfigurationFile.read(arguments[config])
    let now = WallClock.now
    var diagnosis = Diagnosis()
    let setup = SetupCheck(configuration, now: now)
    for finding in setup.findings { diagnosis.add(finding) }
    let (endpoint, server) = OwnEndpoint.open(
      configuration, log: try LogFile.open(arguments[log]))
    defer { endpoint.close() }
    diagnosis.add(server)
    let doctor = Doctor(
      configuration, endpoint: endpoint, patience: .seconds(Int64(arguments[wait])),
      pause: { span in try? await Task.sleep(for: .milliseconds(span.milliseconds)) },
      progress: { line in if console.isWatched { console.note(line) } })
    for app in configuration.apps {
      for finding in examine(app, setup, doctor, configuration) { diagnosis.add(finding) }
    }
    print(diagnosis, asJSON: arguments[Option<Bool>.json], on: console)
    return diagnosis.isHealthy ? .success : .failure
  }

  private func examine(
    _ app: Configuration.App, _ setup: SetupCheck, _ doctor: Doctor, _ configuration: Configuration
  ) -> [Finding] {
    let (finding, credentials) = setup.key(of: app)
    guard let credentials else {
      let skipped = Finding(
        .testNotification, .skipped, about: app.bundleId, "Without a key it cannot be asked for.")
      return [finding, skipped]
    }
    do throws(ClientSetupError) {
      var settings = try configuration.clientSettings()
      // Somebody waits: what two tries do not tell, five do not either.
      settings.mostAttempts = 2
      let client = try AppStoreServerClient(credentials, settings)
      return [finding] + Blocking.wait { await doctor.examine(client) }
    } catch {
      return [
        finding,
        Finding(
          .address, .failed, about: app.bundleId, Finding.sentence(error.description),
          advice: error.advice),
      ]
    }
  }

  private func print(_ diagnosis: Diagnosis, asJSON: Bool, on console: Console) {
    if asJSON {
      console.print(String(decoding: diagnosis.json, as: UTF8.self))
      return
    }
    let rows = diagnosis.findings.map { finding in
      [finding.level.rawValue, finding.check.rawValue, finding.subject ?? "", finding.text]
    }
    let lines = TextTable(header: ["result", "check", "about", "finding"], rows: rows).lines
    console.print(lines[0])
    for (line, finding) in zip(lines.dropFirst(), diagnosis.findings) {
      console.print(line)
      if let advice = finding.advice { console.print("         \(advice)") }
    }
  }
}
