package import EntitlementLedger

extension Ledger {
  /// Gives access by hand.
  package func grant(
    _ grant: ManualGrant, in scope: Scope, _ statement: GrantStatement,
    completion: @escaping Completion<GrantOutcome>
  ) {
    write(completion) { (recorder) throws(StoreError) in
      try recorder.grant(grant, in: scope, statement)
    }
  }

  /// Takes back such access; completes with whether there was any.
  package func revokeGrant(
    _ id: String, of customer: CustomerKey, _ statement: GrantStatement,
    completion: @escaping Completion<Bool>
  ) {
    write(completion) { (recorder) throws(StoreError) in
      try recorder.revokeGrant(id, of: customer, statement)
    }
  }
}

extension LedgerReader {
  /// All grants ever made to a customer, in order.
  package func grants(of customer: CustomerKey) throws(StoreError) -> [StatedGrant] {
    try read { (recorder) throws(StoreError) in try recorder.grants(of: customer) }
  }
}
