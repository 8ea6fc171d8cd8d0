import AppStoreModel

extension LedgerFact {
  /// What of this fact a person should look at; empty nearly always.
  public func alerts(catalog: Catalog) -> [Alert] {
    guard let transaction else { return unknownKinds }
    return unknownKinds + transaction.unknownValues + transaction.unmapped(catalog)
  }

  private var unknownKinds: [Alert] {
    switch self {
    case .notification(let fact):
      var alerts: [Alert] = []
      if case .unknown(let value)? = fact.type {
        alerts.append(Alert(.unknownValue, field: "notificationType", value: value))
      }
      if case .unknown(let value)? = fact.subtype {
        alerts.append(Alert(.unknownValue, field: "subtype", value: value))
      }
      return alerts + LedgerFact.unknown(fact.status)
    case .status(let fact): return LedgerFact.unknown(fact.status)
    case .transaction, .renewal, .own: return []
    }
  }

  private static func unknown(_ status: SubscriptionStatus?) -> [Alert] {
    guard case .unknown(let value)? = status else { return [] }
    return [Alert(.unknownValue, field: "status", value: String(value))]
  }
}

extension TransactionCopy {
  fileprivate var unknownValues: [Alert] {
    var alerts: [Alert] = []
    if case .unknown(let value)? = type {
      alerts.append(Alert(.unknownValue, field: "type", value: value))
    }
    if case .unknown(let value)? = inAppOwnershipType {
      alerts.append(Alert(.unknownValue, field: "inAppOwnershipType", value: value))
    }
    if case .unknown(let value)? = revocation?.type {
      alerts.append(Alert(.unknownValue, field: "revocationType", value: value))
    }
    if case .unknown(let value)? = revocation?.reason {
      alerts.append(Alert(.unknownValue, field: "revocationReason", value: String(value)))
    }
    return alerts
  }

  /// A product of which the catalog says nothing, when it was bought.
  fileprivate func unmapped(_ catalog: Catalog) -> [Alert] {
    guard catalog.entitlements(of: productId, boughtAt: purchaseDate) == nil else { return [] }
    return [Alert(.unmappedProduct, field: "productId", value: productId)]
  }
}

extension Chain {
  /// Revocations that stand and of which nothing says why.
  public var unclassifiedRevocations: [Alert] {
    revocationAnswers().filter { $0.stands && $0.revocationClass == .unclassified }.map {
      Alert(.unclassifiedRevocation, field: "transactionId", value: $0.key.transactionId)
    }
  }
}
