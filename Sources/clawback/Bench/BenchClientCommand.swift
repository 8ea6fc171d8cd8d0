import AppStoreModel
import EntitlementKit
import EntitlementKitTesting

/// Measures the app's library: how long a gate takes, and how long a look at the store does.
struct BenchClientCommand: Command {
  /// Numbers of transactions to look at.
  var counts = [1_000, 10_000]
  /// Of how many rounds the best counts.
  var rounds = 5
  var questions = 200_000

  var usage: Usage {
    Usage(
      "bench client", "Time a gate of the app's library, and a look at 1,000 and 10,000 purchases.",
      discussion: """
        A gate is one question for a right, with the device's clock read. A look takes in every \
        transaction from its signed text, new to the kit, and works out the answers. Both are CPU \
        time, the best of several rounds.
        """,
      options: [Option.json],
      example: "clawback bench client",
      exitCodes: [(.success, "It was measured.")])
  }

  func run(_ arguments: Arguments, on console: Console) throws -> ExitCode {
    let looks = counts.map { count in
      ClientBenchResult.Look(transactions: count, milliseconds: look(at: count) * 1_000)
    }
    let result = ClientBenchResult(gateNanoseconds: gate() * 1_000_000_000, looks: looks)
    if arguments[Option.json] {
      try console.print(json: result)
    } else {
      console.print("\(tenths(result.gateNanoseconds)) ns a gate")
      for look in result.looks {
        console.print("\(tenths(look.milliseconds)) ms a look at \(look.transactions) transactions")
      }
    }
    return .success
  }

  private static let rules = [
    EntitlementRule(
      "pro", products: ["pro.lifetime", "pro.monthly"], whenUnknown: .keepLastKnown(for: .days(3)))
  ]

  /// What the store signed of subscriptions of four years each, the last of them running.
  private func texts(_ count: Int, of device: SimulatedDevice) -> [String] {
    let connection = SimulatedConnection(device)
    var texts: [String] = []
    while texts.count < count {
      let purchases = device.mutate { store in
        // One subscription at a time, for the simulated store looks through all that it has.
        store.purchases = []
        let id = store.buy(
          "pro.monthly", type: .autoRenewableSubscription, group: "pro", period: .days(30))
        for _ in 0..<min(47, count - texts.count - 1) {
          store.now = store.now.adding(.days(30))
          _ = store.renew(id)
        }
        return store.purchases
      }
      texts += purchases.map { connection.item($0).jws }
    }
    return texts
  }

  /// CPU seconds of a first look at so many transactions.
  func look(at count: Int) -> Double {
    let device = SimulatedDevice()
    let connection = SimulatedConnection(device)
    let texts = texts(count, of: device)
    let now = device.moment
    return best(of: rounds) {
      var holdings = Holdings(
        rules: Self.rules, realm: connection.realm, bundleID: connection.bundleID)
      var reading = Reading(startedAt: now)
      reading.history = texts.map { jws in
        StoreTransaction(
          jws: jws, payload: SignedPayload.json(of: jws).flatMap(SignedPayload.transaction))
      }
      _ = holdings.accept(reading, at: now)
      precondition(holdings.entitlements(at: now)[0].isAllowed, "the last period is running")
    }
  }

  /// CPU seconds of one gate.
  func gate() -> Double {
    let device = SimulatedDevice()
    device.buyNonConsumable("pro.lifetime")
    let connection = SimulatedConnection(device)
    let entitlements = Entitlements(
      Self.rules, connection: connection, clock: DeviceClock(), cache: MemoryCache())
    return best(of: rounds) {
      for _ in 0..<questions { _ = entitlements.allows("pro") }
    } / Double(questions)
  }

  private func best(of rounds: Int, _ body: () -> Void) -> Double {
    (0..<rounds).map { _ in
      let begin = WallClock.cpuSeconds
      body()
      return WallClock.cpuSeconds - begin
    }.min() ?? 0
  }

  private func tenths(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }
}

/// What the benchmark of the app's library measured.
struct ClientBenchResult: Encodable {
  struct Look: Encodable {
    let transactions: Int
    let milliseconds: Double
  }

  let gateNanoseconds: Double
  let looks: [Look]
}
