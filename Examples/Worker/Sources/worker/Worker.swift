import Foundation

/// Runs a paid job for a customer, and stops it when the purchase is revoked.
@main
struct Worker {
  let clawback: Clawback
  let job: Job

  static func main() async {
    guard let worker = Worker(CommandLine.arguments) else {
      FileHandle.standardError.write(
        Data("usage: CLAWBACK_KEY=… worker URL CUSTOMER ENTITLEMENT [--seconds N]\n".utf8))
      exit(2)
    }
    do {
      exit(try await worker.run())
    } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      exit(1)
    }
  }

  init?(_ words: [String]) {
    guard words.count >= 4, let base = URL(string: words[1]),
      let key = ProcessInfo.processInfo.environment["CLAWBACK_KEY"]
    else { return nil }
    clawback = Clawback(base: base, key: key)
    var job = Job(customer: words[2], entitlement: words[3])
    if let place = words.firstIndex(of: "--seconds") {
      guard place + 1 < words.count, let seconds = Int(words[place + 1]) else { return nil }
      job.seconds = seconds
    }
    self.job = job
  }

  func run() async throws -> Int32 {
    // Listen before asking: no revocation can fall between the two.
    let watch = Watch(clawback, job)
    try await watch.begin()
    let answer = try await clawback.authorize(job)
    guard answer.decision == "allow" else {
      Step("refused", reason: answer.reason).say()
      return 4
    }
    Step("authorized", id: answer.id, version: answer.version).say()
    let begun = ContinuousClock.now
    let end = await work(watching: watch, since: answer.version)
    let spent = end.isFinished ? job.cost : job.cost(of: ContinuousClock.now - begun)
    end.step.say()
    try await clawback.settle(answer, spent)
    Step("settled", milliunits: spent).say()
    return end.isFinished ? 0 : 3
  }

  /// What comes first, the end of the job or of the entitlement, cancels the other.
  private func work(watching watch: Watch, since version: Int) async -> JobEnd {
    await withTaskGroup(of: JobEnd.self) { group in
      group.addTask { [job] in
        await job.work()
        return .finished
      }
      group.addTask {
        do {
          return try await .stopped(watch.revocation(after: version))
        } catch {
          return .unwatched
        }
      }
      let first = await group.next()
      group.cancelAll()
      return first ?? .finished
    }
  }
}

/// How a job ended.
enum JobEnd: Sendable {
  case finished
  case stopped(Event?)
  /// The key may read events no more: a job that nobody can stop must not run.
  case unwatched

  var isFinished: Bool {
    if case .finished = self { true } else { false }
  }

  var step: Step {
    switch self {
    case .finished: Step("finished")
    case .stopped(let event):
      Step("stopped", event: event?.id, reason: event?.data.decision?.reason)
    case .unwatched: Step("stopped", reason: "unwatched")
    }
  }
}

/// What is to be done, and what it costs.
struct Job {
  let customer: String
  let entitlement: String
  var seconds = 10
  let milliunitsPerSecond = 100

  var cost: Int { seconds * milliunitsPerSecond }

  func cost(of time: Duration) -> Int {
    let (seconds, attoseconds) = time.components
    let milliseconds = Int(seconds) * 1_000 + Int(attoseconds / 1_000_000_000_000_000)
    return min(cost, milliseconds * milliunitsPerSecond / 1_000 + 1)
  }

  /// Here the real job runs; it ends early when its task is cancelled.
  func work() async {
    try? await Task.sleep(for: .seconds(seconds))
  }
}

/// One line of output.
struct Step: Encodable {
  let step: String
  var id: String?
  var version: Int?
  var event: String?
  var reason: String?
  var milliunits: Int?

  init(
    _ step: String, id: String? = nil, version: Int? = nil, event: String? = nil,
    reason: String? = nil, milliunits: Int? = nil
  ) {
    (self.step, self.id, self.version) = (step, id, version)
    (self.event, self.reason, self.milliunits) = (event, reason, milliunits)
  }

  func say() {
    guard let line = try? JSONEncoder().encode(self) else { return }
    FileHandle.standardOutput.write(line + Data("\n".utf8))
  }
}
