import AppStoreModel

extension SimulatedServer {
  /// What a tester may look up.
  func report(
    _ word: String, _ environment: AppStoreEnvironment, at now: Timestamp
  ) throws -> APIAnswer {
    guard let shelf = shelves[environment] else { throw ControlRefusal.unknown(word) }
    switch word {
    case "": return .json { status(environment, at: now, &$0) }
    case "customers":
      return .list("customers", shelf.store.customers) { write($0, &$1) }
    case "transactions":
      let all = shelf.store.order.compactMap { shelf.store.transactions[$0] }
      return .list("transactions", all) { Self.write($0, &$1) }
    case "notifications":
      return .list("notifications", shelf.outbox.notifications) { Self.write($0, &$1) }
    case "calls":
      return .list("calls", journal.entries.filter { $0.environment == environment }) {
        Self.write($0, &$1)
      }
    case "truth":
      let truth = shelf.store.truth(at: storeTime(at: now))
      return .list("customers", truth.access) { Self.write($0, &$1) }
    default: throw ControlRefusal.unknown(word)
    }
  }

  private func status(
    _ environment: AppStoreEnvironment, at now: Timestamp, _ writer: inout JSONWriter
  ) {
    writer.member("environment", environment.rawValue)
    writer.member("storeTimeMs", storeTime(at: now).millisecondsSince1970)
    writer.member("lagMs", switches.lag.milliseconds)
    writer.member("clockSkewMs", switches.clockSkew.milliseconds)
    writer.member("released", switches.isReleased)
    writer.member("pendingFaults", pendingFaults(environment))
    if let faults = shelves[environment]?.outbox.faults {
      writer.member("outage", faults.isDown(at: storeTime(at: now)))
      writer.name("delivery")
      writer.object { write(faults, &$0) }
    }
    writer.member("issuerId", key.issuerId)
    writer.member("keyId", key.keyId)
    writer.member("privateKey", key.key.pem)
    writer.strings("refusedTokens", refusedTokens.map(\.rawValue))
    writer.name("calls")
    writer.object { writer in
      for endpoint in APIEndpoint.allCases {
        writer.member(endpoint.rawValue, counts[environment]?[endpoint].map(Int64.init))
      }
    }
  }

  private func pendingFaults(_ environment: AppStoreEnvironment) -> Int64 {
    faults.lazy.filter { $0.concerns(environment) }.reduce(0) { $0 + Int64($1.count) }
  }

  /// As the control `delivery` takes it.
  private func write(_ faults: DeliveryFaults, _ writer: inout JSONWriter) {
    writer.member("duplicatePerMille", Int64(faults.duplicatedPerMille))
    writer.member("dropPerMille", Int64(faults.droppedPerMille))
    writer.member("delayPerMille", Int64(faults.delayedPerMille))
    writer.member("delayUpToMs", faults.greatestDelay.milliseconds)
    writer.member("resign", faults.resignsRetries)
  }

  func write(_ customer: Customer, _ writer: inout JSONWriter) {
    writer.member("name", customer.name)
    writer.member("appTransactionId", customer.appTransactionId)
    writer.member("appAccountToken", customer.appAccountToken)
    writer.member("family", customer.family)
  }

  private static func write(_ transaction: SimulatedTransaction, _ writer: inout JSONWriter) {
    let payload = transaction.payload
    writer.member("transactionId", payload.transactionId)
    writer.member("originalTransactionId", payload.originalTransactionId)
    writer.member("orderId", transaction.orderId)
    writer.member("customer", transaction.customer.name)
    writer.member("productId", payload.productId)
    writer.member("purchaseDate", payload.purchaseDate?.millisecondsSince1970)
    writer.member("expiresDate", payload.expiresDate?.millisecondsSince1970)
    writer.member("revocationDate", payload.revocationDate?.millisecondsSince1970)
    writer.member("inAppOwnershipType", payload.inAppOwnershipType?.rawValue)
  }

  private static func write(_ outgoing: OutgoingNotification, _ writer: inout JSONWriter) {
    writer.member("notificationUUID", outgoing.notification.payload.notificationUUID)
    writer.member("type", outgoing.notification.title)
    writer.member("transactionId", outgoing.notification.transaction?.transactionId)
    writer.member("dueMs", outgoing.dueAt?.millisecondsSince1970)
    SimulatedServer.write(outgoing.attempts, &writer)
  }

  private static func write(_ entry: JournalEntry, _ writer: inout JSONWriter) {
    writer.member("dateMs", entry.date.millisecondsSince1970)
    writer.member("endpoint", entry.endpoint.rawValue)
    writer.member("id", entry.id.isEmpty ? nil : entry.id)
    writer.member("page", entry.page)
    writer.member("status", Int64(entry.status))
  }

  private static func write(_ access: Truth.Access, _ writer: inout JSONWriter) {
    writer.member("name", access.customer.name)
    writer.member("appTransactionId", access.customer.appTransactionId)
    writer.name("products")
    writer.object { writer in
      for (product, isGranted) in access.products.sorted(by: { $0.key < $1.key }) {
        writer.member(product, isGranted)
      }
    }
  }
}

extension APIAnswer {
  fileprivate static func list<Item>(
    _ name: String, _ items: [Item], _ write: (Item, inout JSONWriter) -> Void
  ) -> APIAnswer {
    json { writer in
      writer.name(name)
      writer.array { writer in
        for item in items { writer.object { write(item, &$0) } }
      }
    }
  }
}
