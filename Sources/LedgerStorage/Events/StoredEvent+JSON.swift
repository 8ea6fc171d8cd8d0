package import AppStoreModel
import EntitlementLedger

extension StoredEvent {
  /// The event as every reader gets it: by request, on the stream and by webhook.
  ///
  /// Shape: `docs/contracts/schemas/event.json`; no line breaks.
  package var json: [UInt8] {
    var writer = JSONWriter()
    writer.event(self)
    return writer.bytes
  }
}

extension JSONWriter {
  package mutating func event(_ event: StoredEvent) {
    object { writer in
      writer.member("id", event.id.text)
      writer.member("position", event.position)
      writer.member("type", event.type)
      writer.member("customer", event.customer?.text)
      writer.member("app", event.scope.bundleId)
      writer.member("environment", event.scope.environment.rawValue)
      writer.member("realm", event.scope.realm.description)
      writer.member("version", event.version)
      writer.member("happenedAtMs", event.happenedAt.millisecondsSince1970)
      writer.name("data")
      writer.raw(event.payload.utf8)
      writer.name("causes")
      writer.raw(event.causes.utf8)
    }
  }
}
