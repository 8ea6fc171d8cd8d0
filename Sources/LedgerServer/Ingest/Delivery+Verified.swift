package import AppStoreModel
package import AppStoreVerification
package import EntitlementLedger
package import LedgerStorage

extension Delivery {
  /// What a proved notification is to the ledger.
  ///
  /// - Parameters:
  ///   - notification: With everything signed inside it.
  ///   - channel: By notification, or from Apple's notification history.
  ///   - receivedAt: When it came.
  ///   - holding: Why it must not act yet; `nil` lets it act.
  package init(
    _ notification: VerifiedNotification, channel: Channel, receivedAt: Timestamp,
    holding: String? = nil
  ) {
    self.init(
      effect: Effect(notification, channel, holding: holding),
      body: .signed(SignedRecord(notification)), channel: channel, receivedAt: receivedAt)
  }

  /// What a proved transaction that came alone is to the ledger.
  package init(
    _ transaction: SignedDocument<JWSTransactionDecodedPayload>, channel: Channel,
    receivedAt: Timestamp
  ) {
    let effect = Effect(transaction.content) { (verified) throws(UnusableFact) in
      try LedgerFact.from(verified, channel: channel)
    }
    self.init(
      effect: effect, body: .signed(SignedRecord(transaction, .transaction)), channel: channel,
      receivedAt: receivedAt)
  }

  /// What proved renewal information that came alone is to the ledger.
  ///
  /// - Parameters:
  ///   - renewal: Names no app itself.
  ///   - bundleId: The app it was reported for; without one it can only be kept.
  ///   - channel: How it came.
  ///   - receivedAt: When it came.
  package init(
    _ renewal: SignedDocument<JWSRenewalInfoDecodedPayload>, bundleId: String?, channel: Channel,
    receivedAt: Timestamp
  ) {
    let effect = Effect(renewal.content) { (verified) throws(UnusableFact) in
      guard let bundleId else { throw UnusableFact.missing("bundleId") }
      return try LedgerFact.from(verified, bundleId: bundleId, channel: channel)
    }
    self.init(
      effect: effect, body: .signed(SignedRecord(renewal, .renewalInfo)), channel: channel,
      receivedAt: receivedAt)
  }

  /// A proved download of an app: kept, since it is about no purchase.
  package init(
    _ appTransaction: SignedDocument<AppTransactionDecodedPayload>, channel: Channel,
    receivedAt: Timestamp
  ) {
    let payload = appTransaction.payload
    let scope = Scope(
      appTransaction.realm, bundleId: payload?.bundleId, environment: payload?.receiptType)
    self.init(
      effect: .opaque(scope, reason: "is about an app and no purchase"),
      body: .signed(SignedRecord(appTransaction, .appTransaction)), channel: channel,
      receivedAt: receivedAt)
  }
}

extension Delivery.Effect {
  fileprivate init(
    _ notification: VerifiedNotification, _ channel: Channel, holding: String?
  ) {
    switch notification.outer.content {
    case .opaque(let verified): self = .opaque(nil, reason: verified.payload.reason)
    case .understood(let verified):
      do throws(UnusableFact) {
        let fact = try LedgerFact.from(
          verified, transaction: notification.transaction?.verified,
          renewal: notification.renewalInfo?.verified, channel: channel)
        self = holding.map { .held(fact, reason: $0) } ?? .applied(fact)
      } catch {
        let scope = Scope(verified.payload, realm: verified.realm)
        self = .opaque(scope, reason: notification.unreadablePart ?? error.description)
      }
    }
  }

  fileprivate init<Payload>(
    _ content: SignedDocument<Payload>.Content,
    fact: (Verified<Payload>) throws(UnusableFact) -> LedgerFact
  ) {
    switch content {
    case .opaque(let verified): self = .opaque(nil, reason: verified.payload.reason)
    case .understood(let verified):
      do throws(UnusableFact) {
        self = .applied(try fact(verified))
      } catch {
        self = .opaque(nil, reason: error.description)
      }
    }
  }
}

extension VerifiedNotification {
  /// What could not be understood of the purchase inside.
  fileprivate var unreadablePart: String? {
    if case .opaque(let part)? = transaction?.content { return part.payload.reason }
    if case .opaque(let part)? = renewalInfo?.content { return part.payload.reason }
    return nil
  }
}

extension Scope {
  /// Where a notification belongs by the container it has.
  fileprivate init?(_ payload: ResponseBodyV2DecodedPayload, realm: Realm) {
    if let data = payload.data {
      self.init(realm, bundleId: data.bundleId, environment: data.environment)
    } else if let summary = payload.summary {
      self.init(realm, bundleId: summary.bundleId, environment: summary.environment)
    } else if let appData = payload.appData {
      self.init(realm, bundleId: appData.bundleId, environment: appData.environment)
    } else if let token = payload.externalPurchaseToken {
      let isSandbox = token.externalPurchaseId?.hasPrefix("SANDBOX") ?? false
      self.init(realm, bundleId: token.bundleId, environment: isSandbox ? .sandbox : .production)
    } else {
      return nil
    }
  }

  fileprivate init?(_ realm: Realm, bundleId: String?, environment: AppStoreEnvironment?) {
    guard let bundleId, !bundleId.isEmpty,
      let environment = environment.flatMap({ ServerEnvironment($0) })
    else { return nil }
    self.init(realm: realm, bundleId: bundleId, environment: environment.model)
  }
}
