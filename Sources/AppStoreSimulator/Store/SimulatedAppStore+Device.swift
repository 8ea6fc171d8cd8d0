package import AppStoreModel

extension SimulatedAppStore {
  /// What a customer's device holds: every transaction of theirs, oldest first.
  package func deviceTransactions(
    of customer: Customer, signedAt now: Timestamp
  ) -> [JWSTransactionDecodedPayload] {
    register.transactions(of: customer).compactMap { copy(of: $0, signedAt: now) }
  }

  /// What a customer's device holds of their subscriptions' renewals, oldest first.
  package func deviceRenewals(
    of customer: Customer, signedAt now: Timestamp
  ) -> [JWSRenewalInfoDecodedPayload] {
    register.chains(of: customer).compactMap { renewalInfo(of: $0, signedAt: now) }
  }
}
