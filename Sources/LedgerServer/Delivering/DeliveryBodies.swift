import AppStoreModel
import LedgerStorage

/// Puts together what is sent, from what is stored.
struct DeliveryBodies {
  /// What is sent, before it is signed.
  enum Content {
    case event(id: String, body: [UInt8])
    case forwarded(Arrival)
  }

  private let reader: LedgerReader

  init(_ reader: LedgerReader) {
    self.reader = reader
  }

  /// - Returns: `nil` for what is not stored any more, and for what tells an endpoint of itself: that is
  ///   for the others.
  func content(
    for destination: Destination, _ position: Int64
  ) throws(StoreError) -> Content? {
    switch destination.kind {
    case .webhook:
      let event = try reader.events(after: position - 1, limit: 1).first
      guard let event, event.position == position, event.endpoint != destination.name else {
        return nil
      }
      return .event(id: event.id.text, body: event.json)
    case .forwarding:
      return try reader.read { (recorder) throws(StoreError) in try recorder.arrival(position) }
        .map { .forwarded($0) }
    }
  }
}

extension DeliveryBodies.Content {
  static let userAgent = "User-Agent: clawback"

  /// An event of type `ping`, which says nothing.
  static func ping(of destination: Destination, at now: Timestamp) -> Self {
    let id = "ping_\(destination.name)_\(now.millisecondsSince1970)"
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("id", id)
      writer.member("type", "ping")
      writer.member("webhook", destination.name)
      writer.member("happenedAtMs", now.millisecondsSince1970)
    }
    return .event(id: id, body: writer.bytes)
  }

  func dispatch(to target: TargetURL, _ secrets: [[UInt8]], at now: Timestamp) -> Dispatch {
    switch self {
    case .event(let id, let body):
      let signature = WebhookSignature(id: id, sentAt: now, body: body, secrets: secrets)
      return Dispatch(
        target: target,
        headers: ["Content-Type: application/json", Self.userAgent] + signature.headers,
        body: body)
    case .forwarded(let arrival):
      return Dispatch(
        target: target, headers: ["Content-Type: \(arrival.contentType)", Self.userAgent],
        body: arrival.body)
    }
  }
}
