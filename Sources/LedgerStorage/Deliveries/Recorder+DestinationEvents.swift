import AppStoreModel
import EntitlementLedger

/// News about who is sent to, for everybody who may see the news that the endpoint gets.
extension Recorder {
  func tellDisabled(_ destination: Int64, now: Timestamp) throws(StoreError) {
    try tell(.webhookDisabled, of: destination, now)
  }

  func tellWoken(_ destination: Int64, now: Timestamp) throws(StoreError) {
    try tell(.webhookWoken, of: destination, now)
  }

  /// One event for each of its apps, since who reads events reads those of some apps.
  private func tell(_ type: EventType, of id: Int64, _ now: Timestamp) throws(StoreError) {
    let destinations = try DestinationTable(session: session).all()
    guard let destination = destinations.first(where: { $0.id == id }),
      let environment = destination.environment
    else { return }
    var writer = JSONWriter()
    writer.object { writer in
      writer.name("webhook")
      writer.standing(of: destination)
    }
    for app in destination.bundleIds.sorted() {
      let scope = Scope(realm: realm, bundleId: app, environment: environment)
      _ = try events.append(
        type: type, payload: writer.bytes, customerID: nil,
        scopeID: try chains.scopes.findOrMake(scope), version: 0, Cause(factID: nil, now: now))
    }
  }
}

extension JSONWriter {
  /// Never its address, which may hold a secret of the receiver's.
  fileprivate mutating func standing(of destination: Destination) {
    object { writer in
      writer.member("id", destination.name)
      writer.member("description", destination.description)
      writer.member("enabled", destination.disabledAt == nil)
      writer.member("disabledBecause", destination.disabledBecause?.rawValue)
      writer.member("disabledAtMs", destination.disabledAt?.millisecondsSince1970)
      writer.member("failingSinceMs", destination.failingSince?.millisecondsSince1970)
    }
  }
}
