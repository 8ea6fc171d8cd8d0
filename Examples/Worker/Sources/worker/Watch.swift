import Foundation

/// What changed for a customer, as far as a worker cares.
struct Event: Decodable, Sendable {
  struct Content: Decodable {
    struct Standing: Decodable {
      let entitlement: String
      let verdict: String
    }
    struct Decision: Decodable { let reason: String }

    let entitlements: [Standing]?
    let decision: Decision?
  }

  let id: String
  let customer: String?
  let version: Int
  let data: Content

  /// Whether it says that a job has lost what it was begun on.
  func ends(_ job: Job) -> Bool {
    customer == job.customer
      && data.entitlements?.contains {
        $0.entitlement == job.entitlement && $0.verdict != "granted"
      } == true
  }
}

/// Holds the stream of events open, over as many connections as it takes.
struct Watch: Sendable {
  private enum News: Sendable {
    case isListening
    case event(Event)
  }

  private let job: Job
  private let news: AsyncThrowingStream<News, any Error>

  init(_ clawback: Clawback, _ job: Job) {
    self.job = job
    news = AsyncThrowingStream { continuation in
      let following = Task {
        do {
          try await Watch.follow(clawback, continuation)
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in following.cancel() }
    }
  }

  /// Returns once nothing can happen unheard.
  func begin() async throws {
    for try await news in news {
      if case .isListening = news { return }
    }
  }

  /// Waits for the event that ends the job.
  ///
  /// What the gate knew when it answered counts for nothing: its version is not greater.
  func revocation(after version: Int) async throws -> Event? {
    for try await news in news {
      if case .event(let event) = news, event.version > version, event.ends(job) { return event }
    }
    return nil
  }

  private static func follow(
    _ clawback: Clawback, _ continuation: AsyncThrowingStream<News, any Error>.Continuation
  ) async throws {
    var (cursor, retry) = (String?.none, 1_000)
    while !Task.isCancelled {
      var request = clawback.request("v1/events/stream")
      // Where the last connection ended: what happened since is read first.
      request.setValue(cursor, forHTTPHeaderField: "Last-Event-ID")
      do {
        for try await line in EventLines(request) {
          switch line {
          case .open: continuation.yield(.isListening)
          case .field("id", let value): cursor = value
          case .field("retry", let value): retry = Int(value) ?? retry
          case .field("data", let value):
            let event = try JSONDecoder().decode(Event.self, from: Data(value.utf8))
            continuation.yield(.event(event))
          case .field: break
          }
        }
      } catch let refusal as Clawback.Refusal where !refusal.isTransient {
        throw refusal
      } catch is URLError, is Clawback.Refusal {
        // The connection broke, or the server is away: it is tried again.
      }
      try await Task.sleep(for: .milliseconds(retry))
    }
  }
}
