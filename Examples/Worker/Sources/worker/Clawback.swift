import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The questions that a worker has.
struct Clawback: Sendable {
  /// An answer that says no.
  struct Refusal: Error {
    let status: Int

    /// Whether another attempt may be answered otherwise.
    var isTransient: Bool { [429, 502, 503, 504].contains(status) }
  }

  /// What the spend gate says.
  struct Answer: Decodable {
    let id: String
    let decision: String
    let reason: String
    /// The customer's, at which it was decided.
    let version: Int
    let decidedAtMs: Int64
  }

  let base: URL
  let key: String

  /// Reserves what a job costs.
  func authorize(_ job: Job) async throws -> Answer {
    struct Question: Encodable {
      let customer: String
      let entitlement: String
      let amount: Amount
      let holdSeconds: Int
    }
    let question = Question(
      customer: job.customer, entitlement: job.entitlement, amount: Amount(milliunits: job.cost),
      holdSeconds: job.seconds + 60)
    return try JSONDecoder().decode(
      Answer.self, from: try await post("v1/spend/authorizations", question))
  }

  /// Records what was spent, also when the hold was revoked meanwhile.
  ///
  /// What took time was spent when it began: who stops at once has spent nothing late.
  func settle(_ answer: Answer, _ milliunits: Int) async throws {
    struct Bill: Encodable {
      let amount: Amount
      let spentAtMs: Int64
    }
    let bill = Bill(amount: Amount(milliunits: milliunits), spentAtMs: answer.decidedAtMs)
    _ = try await post("v1/spend/authorizations/\(answer.id)/settle", bill)
  }

  func request(_ path: String) -> URLRequest {
    var request = URLRequest(url: base.appendingPathComponent(path))
    request.setValue("Bearer " + key, forHTTPHeaderField: "Authorization")
    return request
  }

  private struct Amount: Encodable {
    let milliunits: Int
    var currency = "USD"
  }

  /// Asks again while the server is away: by its key it knows a question that it has answered.
  private func post(_ path: String, _ body: some Encodable) async throws -> Data {
    var request = request(path)
    request.httpMethod = "POST"
    request.httpBody = try JSONEncoder().encode(body)
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.setValue(UUID().uuidString, forHTTPHeaderField: "Idempotency-Key")
    var wait = 1
    while true {
      do {
        return try await send(request)
      } catch {
        let isFinal = (error as? Refusal)?.isTransient == false
        guard !isFinal, wait <= 16 else { throw error }
        try await Task.sleep(for: .seconds(wait))
        wait *= 2
      }
    }
  }

  private func send(_ request: URLRequest) async throws -> Data {
    let (data, response) = try await URLSession.shared.data(for: request)
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    guard (200...299).contains(status) else { throw Refusal(status: status) }
    return data
  }
}
