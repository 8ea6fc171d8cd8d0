import AppStoreModel
import LedgerStorage

/// What is to be seen of endpoints, for routes and commands alike.
struct WebhookReading {
  let reader: LedgerReader
  let reach: WebhookReach

  /// Shape: `{"webhooks":[…]}`, and for who sees it `"forwarding":[…]` beside them.
  func all() throws(StoreError) -> [UInt8] {
    try reader.read { (recorder) throws(StoreError) in
      let destinations = try recorder.destinations()
      let seen = try Self.counted(destinations.filter(reach.holds), recorder)
      let targets = destinations.filter { $0.kind == .forwarding && reach.sees($0) }
      let forwarding = try Self.counted(targets, recorder)
      var writer = JSONWriter()
      writer.object { writer in
        writer.name("webhooks")
        writer.array { writer in for (one, counts) in seen { writer.webhook(one, counts) } }
        guard reach.includesForwarding else { return }
        writer.name("forwarding")
        writer.array { writer in for (one, counts) in forwarding { writer.target(one, counts) } }
      }
      return writer.bytes
    }
  }

  /// - Returns: `nil` for one that is not within reach.
  func one(_ name: String) throws(StoreError) -> [UInt8]? {
    try reader.read { (recorder) throws(StoreError) in
      guard let destination = try find(name, recorder), reach.holds(destination) else {
        return nil
      }
      let counts = try Self.counts(destination, recorder)
      var writer = JSONWriter()
      writer.object { writer in
        writer.name("webhook")
        writer.webhook(destination, counts)
      }
      return writer.bytes
    }
  }

  /// Attempts, the latest first: `{"deliveries":[…],"next":…}`; `next` is absent at the end.
  func deliveries(
    of name: String, before id: Int64, limit: Int
  ) throws(StoreError) -> [UInt8]? {
    try reader.read { (recorder) throws(StoreError) in
      guard let destination = try find(name, recorder) else { return nil }
      let attempts = try recorder.deliveryAttempts(
        of: destination.id, before: id, limit: limit)
      var writer = JSONWriter()
      writer.object { writer in
        writer.name("deliveries")
        writer.array { writer in
          for attempt in attempts { writer.attempt(attempt.attempt) }
        }
        if attempts.count == limit { writer.member("next", attempts.last?.id) }
      }
      return writer.bytes
    }
  }

  /// What was given up, the oldest first: `{"deadLetters":[…],"next":…}`.
  func deadLetters(
    of name: String, after position: Int64, limit: Int
  ) throws(StoreError) -> [UInt8]? {
    try reader.read { (recorder) throws(StoreError) in
      guard let destination = try find(name, recorder) else { return nil }
      let letters = try recorder.deadLetters(of: destination.id, after: position, limit: limit)
      var writer = JSONWriter()
      writer.object { writer in
        writer.name("deadLetters")
        writer.array { writer in for letter in letters { writer.deadLetter(letter) } }
        writer.member("next", letters.last?.position ?? position)
      }
      return writer.bytes
    }
  }

  private func find(_ name: String, _ recorder: Recorder) throws(StoreError) -> Destination? {
    guard let found = try recorder.destination(named: name), reach.sees(found) else {
      return nil
    }
    return found
  }

  private static func counted(
    _ destinations: [Destination], _ recorder: Recorder
  ) throws(StoreError) -> [(Destination, WebhookCounts)] {
    try destinations.map { (destination) throws(StoreError) in
      (destination, try counts(destination, recorder))
    }
  }

  private static func counts(
    _ destination: Destination, _ recorder: Recorder
  ) throws(StoreError) -> WebhookCounts {
    WebhookCounts(
      waiting: try recorder.countLanes(of: destination.id),
      deadLetters: try recorder.countDeadLetters(of: destination.id))
  }
}

/// How much of an endpoint's is not delivered.
struct WebhookCounts: Hashable, Sendable {
  let waiting: Int64
  let deadLetters: Int64
}

extension JSONWriter {
  /// An endpoint, never with its secrets.
  mutating func webhook(_ destination: Destination, _ counts: WebhookCounts? = nil) {
    object { writer in
      writer.member("id", destination.name)
      writer.member("url", destination.url)
      writer.member("description", destination.description)
      writer.member("environment", destination.environment?.rawValue)
      writer.name("apps")
      writer.array { writer in for app in destination.bundleIds.sorted() { writer.string(app) } }
      writer.name("types")
      writer.array { writer in for type in destination.types.sorted() { writer.string(type) } }
      writer.member("enabled", destination.disabledAt == nil)
      writer.member("disabledBecause", destination.disabledBecause?.rawValue)
      writer.member("disabledAtMs", destination.disabledAt?.millisecondsSince1970)
      writer.member("failingSinceMs", destination.failingSince?.millisecondsSince1970)
      writer.member("madeAtMs", destination.madeAt.millisecondsSince1970)
      writer.member("waiting", counts?.waiting)
      writer.member("deadLetters", counts?.deadLetters)
    }
  }

  /// Somebody to whom Apple's notifications are forwarded.
  mutating func target(_ destination: Destination, _ counts: WebhookCounts? = nil) {
    object { writer in
      writer.member("id", destination.name)
      writer.member("url", destination.url)
      writer.member("failingSinceMs", destination.failingSince?.millisecondsSince1970)
      writer.member("madeAtMs", destination.madeAt.millisecondsSince1970)
      writer.member("waiting", counts?.waiting)
      writer.member("deadLetters", counts?.deadLetters)
    }
  }

  fileprivate mutating func attempt(_ attempt: DeliveryAttempt) {
    object { writer in
      writer.member("position", attempt.position)
      writer.member("attempt", Int64(attempt.attempt))
      writer.member("result", attempt.result.rawValue)
      writer.member("status", attempt.status.map { Int64($0) })
      writer.member("failure", attempt.failure)
      writer.member("startedAtMs", attempt.startedAt.millisecondsSince1970)
      writer.member("tookMs", attempt.took.milliseconds)
    }
  }

  fileprivate mutating func deadLetter(_ letter: DeadLetter) {
    object { writer in
      writer.member("position", letter.position)
      writer.member("attempts", Int64(letter.attempts))
      writer.member("status", letter.status.map { Int64($0) })
      writer.member("failure", letter.failure)
      writer.member("diedAtMs", letter.diedAt.millisecondsSince1970)
    }
  }
}
