import AppStoreModel

/// A transaction and a renewal that came together and must be about the same chain.
struct PurchaseParts {
  let transaction: TransactionCopy?
  let renewal: RenewalCopy?
  let claims: [Scope.Claim]

  init(
    transaction: Verified<JWSTransactionDecodedPayload>?,
    renewal: Verified<JWSRenewalInfoDecodedPayload>?
  ) throws(UnusableFact) {
    if let transaction {
      self.transaction = try TransactionCopy(transaction.payload)
    } else {
      self.transaction = nil
    }
    if let renewal {
      self.renewal = try RenewalCopy(renewal.payload)
    } else {
      self.renewal = nil
    }
    if let first = self.transaction?.originalTransactionId,
      let second = self.renewal?.originalTransactionId, first != second
    {
      throw .chainsDiffer
    }
    claims =
      [transaction.map(Scope.Claim.init), renewal.map(Scope.Claim.init)].compactMap { $0 }
  }

  /// The later of the two inner dates.
  var latestDate: Timestamp? {
    guard let transaction else { return renewal?.signedDate }
    return max(transaction.signedDate, renewal?.signedDate ?? transaction.signedDate)
  }
}
