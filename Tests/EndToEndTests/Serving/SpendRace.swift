import AppStoreModel
import AppStoreSimulator
import Foundation
import Synchronization

/// Workers that spend on many customers while their purchases are refunded and given back, all over
/// HTTP against a server that is killed now and then.
final class SpendRace: Sendable {
  struct Plan {
    var workers = 8
    var authorizations = 600
    var customers = 24
    var crashes = 2
  }

  /// A purchase that the race spends on.
  struct Purchase: Sendable {
    let customer: String
    let transactionId: String
    let isCredits: Bool
  }

  /// What the workers and the refunder know together.
  private struct State {
    var url: String
    var left: Int
    /// How often each transaction was refunded or given back, as acknowledged: odd is refunded.
    var turns: [String: Int] = [:]
    /// The same, counted before the notification was sent.
    var begun: [String: Int] = [:]
    var violations: [String] = []
    var allowed = 0
    var settled: [String: Int64] = [:]
    var strange: [String] = []
  }

  let purchases: [Purchase]
  private let key: String
  private let state: Mutex<State>
  private let running = DispatchGroup()

  init(_ purchases: [Purchase], url: String, key: String, _ plan: Plan) {
    self.purchases = purchases
    self.key = key
    state = Mutex(State(url: url, left: plan.authorizations))
    for worker in 0..<plan.workers {
      running.enter()
      Thread.detachNewThread { [self] in
        work(UInt64(worker))
        running.leave()
      }
    }
  }

  var left: Int { state.withLock { $0.left } }
  var allowed: Int { state.withLock { $0.allowed } }
  var violations: [String] { state.withLock { $0.violations } }
  var strange: [String] { state.withLock { $0.strange } }
  /// The microunits that were acknowledged as spent, by authorization.
  var settled: [String: Int64] { state.withLock { $0.settled } }

  func wait() { running.wait() }
  func moved(to url: String) { state.withLock { $0.url = url } }

  /// What the refunder is about to send.
  func turning(_ transactionId: String) {
    state.withLock { $0.begun[transactionId, default: 0] += 1 }
  }

  /// What the refunder was told with a 200.
  func turned(_ transactionId: String) {
    state.withLock { $0.turns[transactionId, default: 0] += 1 }
  }

  private func work(_ seed: UInt64) {
    var dice = SeededGenerator(seed: seed + 1)
    guard var connection = try? HTTPConnection(timeoutMilliseconds: 20_000) else { return }
    while take() {
      let purchase = purchases[Int.random(in: 0..<purchases.count, using: &dice)]
      let amount = Int64.random(in: 1...40, using: &dice)
      let before = state.withLock { $0.turns }
      let right =
        purchase.isCredits
        ? "\"credits\":{\"unit\":\"coins\",\"amount\":\(amount)}"
        : "\"entitlement\":\"\(SimulatedProduct.themes.id)\""
      let body = """
        {"customer":"\(purchase.customer)",\(right),"holdSeconds":\(Int.random(in: 1...4, using: &dice)),\
        "kind":"gpu","unit":"second","units":\(amount),\
        "amount":{"microunits":\(amount * 7),"currency":"USD"}}
        """
      let answer = post("/v1/spend/authorizations", body, &connection, "a\(seed)-\(left)-\(amount)")
      guard let answer, let id = answer["id"]?.string else { continue }
      guard answer["decision"]?.string == "allow" else { continue }
      judge(answer, before)
      finish(id, amount, &dice, &connection)
    }
  }

  private func take() -> Bool {
    state.withLock { state in
      guard state.left > 0 else { return false }
      state.left -= 1
      return true
    }
  }

  /// No allow may rest on a transaction that stood refunded before the question was sent.
  private func judge(_ answer: JSONValue, _ before: [String: Int]) {
    let drawn = (answer["draws"]?.array ?? []).compactMap { $0["transactionId"]?.string }
    let charged = drawn + [answer["transactionId"]?.string].compactMap { $0 }
    state.withLock { state in
      state.allowed += 1
      for transaction in charged {
        let turn = before[transaction, default: 0]
        if turn % 2 == 1, state.begun[transaction, default: 0] == turn {
          state.violations.append("\(transaction): \(answer["id"]?.string ?? "")")
        }
      }
    }
  }

  /// Settles as held, below or above it, gives it back, or lets it lapse.
  private func finish(
    _ id: String, _ amount: Int64, _ dice: inout SeededGenerator, _ connection: inout HTTPConnection
  ) {
    let path = "/v1/spend/authorizations/\(id)"
    switch Int.random(in: 0..<6, using: &dice) {
    case 0: return
    case 1: _ = post(path + "/release", "", &connection, "r" + id)
    default:
      let used = amount * Int64.random(in: 3...8, using: &dice)
      let body = "{\"amount\":{\"microunits\":\(used),\"currency\":\"USD\"}}"
      guard let answer = post(path + "/settle", body, &connection, "s" + id) else { return }
      let recorded = answer["settled"]?["microunits"]?.integer
      state.withLock { state in
        state.settled[id] = used
        if recorded != used { state.strange.append("\(id): \(recorded ?? -1) for \(used)") }
      }
    }
  }

  /// Asks until somebody answers: a server that died is asked again, with the same key.
  private func post(
    _ path: String, _ body: String, _ connection: inout HTTPConnection, _ name: String
  ) -> JSONValue? {
    for _ in 0..<3_000 {
      let url = state.withLock { $0.url }
      let headers = ["Authorization: Bearer " + key, "Idempotency-Key: " + name]
      if let answer = try? connection.post(body, to: url + path, headers: headers) {
        if answer.status == 200 { return try? JSONValue(json: answer.body) }
        if answer.status != 503 {
          let text = String(decoding: answer.body, as: UTF8.self)
          state.withLock { $0.strange.append("\(path): \(answer.status) \(text)") }
          return nil
        }
      }
      if let other = try? HTTPConnection(timeoutMilliseconds: 20_000) { connection = other }
      Thread.sleep(forTimeInterval: 0.01)
    }
    return nil
  }
}
