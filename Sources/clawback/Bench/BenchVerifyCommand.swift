import AppStoreModel
import AppStoreVerification

/// Measures how many notifications one core verifies and decodes.
struct BenchVerifyCommand: Command {
  let input = Option.required("input", "FILE", "Notifications, one object a line.")
  let root = RootOption.option
  let seconds = Option<Int>.number("seconds", in: 1...600, default: 3, "Measure for this long.")

  var usage: Usage {
    Usage(
      "bench verify", "Count the notifications that one core verifies and decodes in a second.",
      discussion: """
        Every JWS of every notification is verified and decoded, with the signing chain known \
        already. Pin the process to one core (taskset) to compare it with another program.
        """,
      options: [input, root, seconds, Option.json],
      example: "clawback bench verify --input notifications.jsonl --root root.der",
      exitCodes: [
        (.success, "All were genuine."), (.failure, "One was refused."),
        (.unusable, "The file holds no notifications."),
      ])
  }

  func run(_ arguments: Arguments, on console: Console) throws -> ExitCode {
    let notifications = try read(arguments[input])
    let verifier = try SignedDataVerifier(
      roots: [try RootOption.read(arguments[root])], allowed: .any)
    for notification in notifications.prefix(20) { try verify(notification, with: verifier) }
    let result = try measure(notifications, with: verifier, for: Double(arguments[seconds]))
    if arguments[Option.json] {
      try console.print(json: result)
    } else {
      console.print(
        "\(Int(result.notificationsPerSecond)) notifications per CPU second of one core")
    }
    return .success
  }

  private func read(_ path: String) throws -> [[UInt8]] {
    let lines = SignedLines(text: try InputFile.read(path, mebibytes: 4_096))
    let notifications = lines.compactMap { line in
      try? SignedInput(text: Array(line))
    }.filter { $0.kind == .notification }.map(\.jws)
    guard !notifications.isEmpty else {
      throw CommandFailure("\(path) holds no notifications.", code: .unusable)
    }
    return notifications
  }

  private func measure(
    _ notifications: [[UInt8]], with verifier: SignedDataVerifier, for duration: Double
  ) throws -> BenchResult {
    let cpu = WallClock.cpuSeconds
    let begin = WallClock.steadySeconds
    var count = 0
    while WallClock.steadySeconds - begin < duration {
      for _ in 0..<20 {
        try verify(notifications[count % notifications.count], with: verifier)
        count += 1
      }
    }
    return BenchResult(
      notifications: count, cpuSeconds: WallClock.cpuSeconds - cpu,
      seconds: WallClock.steadySeconds - begin)
  }

  @inline(never)
  private func verify(_ jws: [UInt8], with verifier: SignedDataVerifier) throws {
    do throws(VerificationError) {
      _ = try verifier.verifyNotification(jws, now: .distantPast)
    } catch {
      throw CommandFailure("A notification was refused: \(error)", advice: error.advice)
    }
  }
}

/// What a benchmark of notifications measured.
struct BenchResult: Encodable {
  let notifications: Int
  let cpuSeconds: Double
  let seconds: Double
  let notificationsPerSecond: Double

  /// The rate is per CPU second of the process.
  init(notifications: Int, cpuSeconds: Double, seconds: Double) {
    self.notifications = notifications
    self.cpuSeconds = cpuSeconds
    self.seconds = seconds
    notificationsPerSecond = Double(notifications) / cpuSeconds
  }
}
