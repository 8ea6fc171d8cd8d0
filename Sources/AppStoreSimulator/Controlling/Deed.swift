import AppStoreModel

/// Something that a customer does, or Apple does to a purchase.
///
/// Shape: the transaction that is meant or was made; absent when there is none.
typealias DeedBody =
  @Sendable (inout SimulatedAppStore, ControlBody, Timestamp) throws -> String?

enum Deed {
  static let all: [String: DeedBody] = [
    "buy": { store, body, now in
      let product = try product(body, store)
      // Before somebody new joins for a purchase that is refused.
      _ = try store.product(product)
      let quantity = Int32(try body.number("quantity", in: 1...1_000) ?? 1)
      return try store.buy(product, by: try customer(body, &store), quantity: quantity, at: now)
    },
    "renew": { store, body, now in try store.renew(try chain(body, store), at: now) },
    "upgrade": { store, body, now in
      let chain = try chain(body, store)
      let product = try store.product(try product(body, store))
      let level = try store.product(try store.chain(chain).productId).level
      guard product.level <= level else { throw StoreRefusal.notBetter(product.id) }
      return try store.upgrade(chain, to: product.id, at: now)
    },
    "change-plan": { store, body, now in
      let chain = try chain(body, store)
      return try store.changePlan(chain, to: try product(body, store), at: now) ?? chain
    },
    "fail-payment": { store, body, now in
      let id = try chain(body, store)
      try store.failToRenew(
        id, grace: try body.number("graceDays", in: 0...366).map { .days($0) }, at: now)
      return id
    },
    "recover": { store, body, now in try store.recover(try chain(body, store), at: now) },
    "expire": { store, body, now in
      let id = try chain(body, store)
      try store.expire(id, at: now)
      return id
    },
    "auto-renew": { store, body, now in
      let id = try chain(body, store)
      try store.setAutoRenewal(try body.required("on", try body.flag("on")), of: id, at: now)
      return id
    },
    "refund": { store, body, now in
      let id = try body.transactionId()
      try store.refund(
        id, prorated: try body.share(),
        because: try body.number("reason", in: 0...1) == 1 ? .developerIssue : .other, at: now)
      return id
    },
    "reverse": { store, body, now in
      let id = try body.transactionId()
      try store.reverseRefund(of: id, at: now)
      return id
    },
    "request-refund": { store, body, now in
      let id = try body.transactionId()
      let reason = try body.text("reason").map { (word) throws(ControlRefusal) in
        guard let reason = RefundReasons.byWord[word] else {
          throw .notOneOf("reason", RefundReasons.words)
        }
        return reason
      }
      try store.requestRefund(of: id, because: reason ?? .unsatisfiedWithPurchase, at: now)
      return id
    },
    "decide": { store, body, now in
      let id = try body.transactionId()
      try store.decideRefund(of: id, at: now)
      return id
    },
    "decline": { store, body, now in
      let id = try body.transactionId()
      try store.declineRefund(of: id, at: now)
      return id
    },
    "share": { store, body, now in
      let id = try body.transactionId()
      let payer = try store.transaction(id).customer
      _ = try store.sharedProduct(of: id)
      return try store.share(
        id, with: try customer(body, &store, family: payer.family), at: now)
    },
    "revoke-family": { store, body, now in
      let id = try body.transactionId()
      try store.stopSharing(id, at: now)
      return id
    },
    "test": { store, _, now in
      store.sendTest(at: now)
      return nil
    },
  ]

  /// A product by its id, or by the last part of it.
  private static func product(_ body: ControlBody, _ store: SimulatedAppStore) throws -> String {
    let word = try body.required("product", try body.text("product"))
    return store.catalog.first { $0.id == word || $0.shortName == word }?.id ?? word
  }

  /// A customer by name or `appTransactionId`; an unknown name is a new customer.
  private static func customer(
    _ body: ControlBody, _ store: inout SimulatedAppStore, family: String? = nil
  ) throws -> Customer {
    let word = try body.required("customer", try body.text("customer"))
    return store.customer(named: word) ?? store.enroll(word, family: family)
  }

  /// The chain of a transaction; what is no subscription goes through, for the store to refuse.
  private static func chain(_ body: ControlBody, _ store: SimulatedAppStore) throws -> String {
    let id = try body.transactionId()
    return store.transactions[id]?.payload.originalTransactionId ?? id
  }
}
