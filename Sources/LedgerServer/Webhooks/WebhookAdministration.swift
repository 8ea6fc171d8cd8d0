import AppStoreModel
import EntitlementLedger
import LedgerStorage

/// Carries out what is wanted about endpoints, for routes and commands alike.
struct WebhookAdministration: Sendable {
  typealias Completion = @Sendable (Result<[UInt8], Problem>) -> Void

  static let mostEndpoints = 100
  static let mostReplays = 4

  let ledger: Ledger
  /// `nil` while no server runs: then nothing is sent.
  let keeper: DeliveryKeeper?
  let rules: DeliveryRules
  let clock: ServerClock

  /// Does it, and completes once it is durable.
  func carryOut(
    _ order: WebhookOrder, on name: String, within reach: WebhookReach,
    completion: @escaping Completion
  ) throws(Problem) {
    switch order {
    case .create(let new): try create(new, completion)
    case .test: try test(name, reach, completion)
    case .change(let change):
      if let url = change.url { try check(url) }
      write(name, reach, completion) { (recorder, destination) throws(StoreError) in
        try recorder.change(destination, change).map { .done($0) } ?? .unknown
      }
    case .rotate(let overlap): try rotate(name, overlap, reach, completion)
    case .remove:
      write(name, reach, completion) { (recorder, destination) throws(StoreError) in
        try recorder.remove(destination)
        return .done(destination)
      }
    case .replay(let what): replay(what, name, reach, completion)
    case .disable, .wake: change(order, name, reach, completion)
    }
  }

  private enum Outcome: Sendable {
    case unknown
    /// There are as many as there may be.
    case full
    case nothingToSend
    case done(Destination, secret: WebhookSecret? = nil)
  }

  private func replay(
    _ what: DeliveryRepetition, _ name: String, _ reach: WebhookReach,
    _ completion: @escaping Completion
  ) {
    let now = clock.now()
    write(name, completion, to: reach.sees) { (recorder, destination) throws(StoreError) in
      let isAny = try recorder.repeat(what, to: destination, limit: Self.mostReplays, now: now)
      guard let isAny else { return .full }
      return isAny ? .done(destination) : .nothingToSend
    }
  }

  private func change(
    _ order: WebhookOrder, _ name: String, _ reach: WebhookReach,
    _ completion: @escaping Completion
  ) {
    let now = clock.now()
    write(name, reach, completion) { (recorder, destination) throws(StoreError) in
      switch order {
      case .disable: _ = try recorder.disable(destination, .operator, now: now)
      case .wake: try recorder.wake(destination, now: now)
      default: break
      }
      return try recorder.destination(named: name).map { .done($0) } ?? .unknown
    }
  }

  private func create(
    _ new: NewDestination, _ completion: @escaping Completion
  ) throws(Problem) {
    try check(new.url)
    guard let secret = WebhookSecret.fresh() else { throw Problem(.internalError) }
    var new = new
    new.secret = secret.bytes
    let (made, now) = (new, clock.now())
    ledger.write(answering(completion)) { (recorder) throws(StoreError) in
      let destination = try recorder.add(made, limit: Self.mostEndpoints, now: now)
      return destination.map { .done($0, secret: secret) } ?? .full
    }
  }

  private func rotate(
    _ name: String, _ overlap: TimeSpan, _ reach: WebhookReach,
    _ completion: @escaping Completion
  ) throws(Problem) {
    guard let secret = WebhookSecret.fresh() else { throw Problem(.internalError) }
    let now = clock.now()
    write(name, reach, completion) { (recorder, destination) throws(StoreError) in
      try recorder.rotate(destination, to: secret.bytes, until: now.adding(overlap), now: now)
      return .done(destination, secret: secret)
    }
  }

  private func test(
    _ name: String, _ reach: WebhookReach, _ completion: @escaping Completion
  ) throws(Problem) {
    guard let keeper else {
      throw Problem(.badParameter, "Only a running server sends: start it first.")
    }
    let known = keeper.outlets.first { $0.destination.name == name }
    guard let known, reach.holds(known.destination) else { throw Problem(.unknownWebhook) }
    keeper.test(name) { answer in
      guard let answer else { return completion(.failure(Problem(.unknownWebhook))) }
      var writer = JSONWriter()
      writer.object { writer in
        writer.member("delivered", answer.isSuccess)
        writer.member("status", answer.status.map { Int64($0) })
        writer.member("failure", answer.failure?.rawValue)
        writer.member("tookMs", answer.took.milliseconds)
      }
      completion(.success(writer.bytes))
    }
  }

  private func check(_ url: String) throws(Problem) {
    do throws(TargetURL.Refusal) {
      _ = try rules.target(url)
    } catch {
      throw Problem(.forbiddenURL, "url cannot be used: \(error.reason).\(error.remedy)")
    }
  }

  /// Does something to an endpoint within reach.
  private func write(
    _ name: String, _ reach: WebhookReach, _ completion: @escaping Completion,
    _ work: @escaping @Sendable (Recorder, Destination) throws(StoreError) -> Outcome
  ) {
    write(name, completion, to: reach.holds, work)
  }

  private func write(
    _ name: String, _ completion: @escaping Completion,
    to isWithinReach: @escaping @Sendable (Destination) -> Bool,
    _ work: @escaping @Sendable (Recorder, Destination) throws(StoreError) -> Outcome
  ) {
    ledger.write(answering(completion)) { (recorder) throws(StoreError) in
      guard let destination = try recorder.destination(named: name), isWithinReach(destination)
      else { return .unknown }
      return try work(recorder, destination)
    }
  }

  private func answering(
    _ completion: @escaping Completion
  ) -> @Sendable (Result<Outcome, StoreError>) -> Void {
    { [keeper] result in
      keeper?.reload()
      switch result {
      case .failure(let error): completion(.failure(Problem(error)))
      case .success(.unknown): completion(.failure(Problem(.unknownWebhook)))
      case .success(.full):
        completion(
          .failure(
            Problem(
              .tooManyItems,
              "There are at most \(Self.mostEndpoints) endpoints, and \(Self.mostReplays) "
                + "repetitions of one at a time.")))
      case .success(.nothingToSend):
        completion(.failure(Problem(.badParameter, "There is nothing to send again.")))
      case .success(.done(let destination, let secret)):
        var writer = JSONWriter()
        writer.object { writer in
          if destination.kind == .forwarding {
            writer.name("forwarding")
            writer.target(destination)
          } else {
            writer.name("webhook")
            writer.webhook(destination)
          }
          writer.member("secret", secret?.text)
        }
        completion(.success(writer.bytes))
      }
    }
  }
}
