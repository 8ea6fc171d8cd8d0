import AppStoreModel
import EntitlementLedger
import LedgerStorage

extension JSONWriter {
  /// Whose answer it is: the members that every answer about a customer begins with.
  mutating func customer(_ key: CustomerKey) {
    member("customer", key.id.text)
    member("app", key.scope.bundleId)
    member("environment", key.scope.environment.rawValue)
    member("realm", key.scope.realm.description)
  }

  mutating func entry(_ entry: TimelineEntry) {
    object { writer in
      writer.member("atMs", entry.place.at.millisecondsSince1970)
      switch entry.content {
      case .sighting(let sighting): writer.sighting(sighting, at: entry.place.at)
      case .posting(let posting):
        writer.member("kind", "posting")
        writer.member("transactionId", posting.key.transactionId)
        writer.member("revokedAtMs", posting.key.revocationDate.millisecondsSince1970)
        writer.member("milliunits", posting.amount.milliunits)
        writer.member("currency", posting.amount.currency.code)
      case .event(let event):
        writer.member("kind", "event")
        writer.name("event")
        writer.event(event)
      }
    }
  }

  private mutating func sighting(_ sighting: TimelineEntry.Sighting, at received: Timestamp) {
    member("kind", "fact")
    member("fact", sighting.kind)
    member("factId", sighting.factID)
    member("channel", sighting.channel)
    member("effect", sighting.effect.rawValue)
    member("reason", sighting.reason)
    member("datedAtMs", sighting.dated?.millisecondsSince1970)
    member("originalTransactionId", sighting.originalTransactionId)
    if let fact = sighting.fact { self.fact(fact, at: received) }
    if let statement = sighting.statement {
      name("statement")
      raw(statement.utf8)
    }
  }

  private mutating func fact(_ fact: LedgerFact, at received: Timestamp) {
    if case .notification(let notification) = fact {
      member("notificationType", notification.type?.rawValue)
      member("subtype", notification.subtype?.rawValue)
      member("notificationUUID", notification.notificationUUID)
    }
    guard let transaction = fact.transaction else { return }
    member("transactionId", transaction.transactionId)
    member("productId", transaction.productId)
    member("expiresAtMs", transaction.expiresDate?.millisecondsSince1970)
    guard let revoked = transaction.revocation?.date else { return }
    member("revokedAtMs", revoked.millisecondsSince1970)
    member("delayMs", received.span(since: revoked).milliseconds)
  }
}
