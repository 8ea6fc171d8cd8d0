package import AppStoreModel
package import EntitlementLedger

extension JSONWriter {
  /// A decision with its evidence, as events and answers show it.
  package mutating func decision(_ decision: Decision) {
    object { writer in
      writer.member("entitlement", decision.entitlement)
      writer.member("verdict", decision.verdict.rawValue)
      writer.member("reason", decision.reason.rawValue)
      writer.member("provisional", decision.isProvisional)
      writer.member("untilMs", decision.until?.millisecondsSince1970)
      writer.name("evidence")
      writer.evidence(decision.evidence)
    }
  }

  package mutating func evidence(_ evidence: Evidence) {
    object { writer in
      writer.member("originalTransactionId", evidence.chain?.originalTransactionId)
      writer.member("transactionId", evidence.transactionId)
      writer.member("productId", evidence.productId)
      writer.member("ownership", evidence.ownership?.rawValue)
      writer.member("purchasedAtMs", evidence.purchaseDate?.millisecondsSince1970)
      writer.member("expiresAtMs", evidence.expiresDate?.millisecondsSince1970)
      writer.member("revokedAtMs", evidence.revocationDate?.millisecondsSince1970)
      writer.member("revocationClass", evidence.revocationClass?.rawValue)
      writer.member(
        "revokedPercentMilliunits", evidence.share.map { Int64($0.percentMilliunits) })
      writer.member("status", evidence.status.map { Int64($0.rawValue) })
      writer.member("statusAtMs", evidence.statusDate?.millisecondsSince1970)
      writer.member("grantId", evidence.grantId)
    }
  }

  /// The members of an object that shows a refund.
  package mutating func members(of refund: RefundEntry) {
    member("transactionId", refund.key.transactionId)
    member("productId", refund.productId)
    member("refundedAtMs", refund.key.revocationDate.millisecondsSince1970)
    member("revocationClass", refund.revocationClass?.rawValue)
    member("revokedPercentMilliunits", refund.share.map { Int64($0.percentMilliunits) })
    member("stands", refund.stands)
    member("netRefundMilliunits", refund.netRefund?.milliunits)
    member("currency", refund.netRefund?.currency.code)
  }
}

extension LedgerEvent {
  /// The new state, so that a reader needs to ask for nothing else: what changed in full, and how the
  /// customer stands with every entitlement.
  func json(in standing: [Decision]?) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("changesAccess", changesAccess)
      if let decision {
        writer.name("decision")
        writer.decision(decision)
      }
      if let refund {
        writer.name("refund")
        writer.object { $0.members(of: refund) }
      }
      guard let standing else { return }
      writer.name("entitlements")
      writer.array { writer in
        for decision in standing { writer.standing(decision) }
      }
    }
    return writer.bytes
  }
}

extension JSONWriter {
  fileprivate mutating func standing(_ decision: Decision) {
    object { writer in
      writer.member("entitlement", decision.entitlement)
      writer.member("verdict", decision.verdict.rawValue)
      writer.member("untilMs", decision.until?.millisecondsSince1970)
    }
  }
}
