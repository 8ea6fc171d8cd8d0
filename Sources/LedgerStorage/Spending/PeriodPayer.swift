import AppStoreModel
import EntitlementLedger

/// What the periods of a running cost are charged to, by today's knowledge.
struct PeriodPayer {
  /// What a period is charged to, and the earliest moment from which on one may be charged otherwise.
  struct Charge {
    var chainID: Int64?
    var transactionId: String?
    var lateness: SpendRecord.Lateness?
    var holdsUntil: Timestamp?

    fileprivate mutating func hold(until moments: [Timestamp], after moment: Timestamp) {
      holdsUntil = (moments.filter { $0 > moment } + [holdsUntil].compactMap { $0 }).min()
    }
  }

  let recorder: Recorder
  let basis: RunningCost.Basis
  var chains: [StoredChain] = []
  var grants: [ManualGrant] = []

  func charge(at moment: Timestamp) throws(StoreError) -> Charge {
    var charge = Charge()
    let stored = payer(at: moment, &charge)
    guard let stored else { return charge }
    charge.chainID = stored.id
    guard let transactionId = charge.transactionId else { return charge }
    charge.lateness = try recorder.lateness(on: stored, transactionId, at: moment)
    if let key = stored.chain.takenBack(transactionId)?.key {
      let knownAt = try recorder.knownAt(stored.id, key)
      charge.hold(until: [key.revocationDate, knownAt ?? key.revocationDate], after: moment)
    }
    return charge
  }

  private func payer(at moment: Timestamp, _ charge: inout Charge) -> StoredChain? {
    switch basis {
    case .purchase:
      guard let stored = chains.first else { return nil }
      charge.transactionId = stored.chain.boughtLast(by: moment)
      charge.hold(until: stored.chain.moments, after: moment)
      return stored
    case .entitlement(let name):
      let answers = chains.map { recorder.rules.answer($0.chain, at: moment) }
      let answer = CustomerAnswer(chains: answers, grants: grants, at: moment)
      for stored in chains { charge.hold(until: stored.chain.moments, after: moment) }
      if let change = answer.nextChange { charge.hold(until: [change], after: moment) }
      let evidence = answer.decision(on: name).evidence
      guard let key = evidence.chain, let stored = chains.first(where: { $0.chain.key == key })
      else { return nil }
      charge.transactionId = evidence.transactionId
      return stored
    }
  }
}

extension Chain {
  /// The transaction bought last before a moment; the first one of all where none was.
  func boughtLast(by moment: Timestamp) -> String? {
    let copies = transactions.values.map(\.newest).sorted {
      ($0.purchaseDate, $0.transactionId) < ($1.purchaseDate, $1.transactionId)
    }
    return (copies.last { $0.purchaseDate <= moment } ?? copies.first)?.transactionId
  }

  /// Every date by which its transactions begin or end.
  fileprivate var moments: [Timestamp] {
    transactions.values.flatMap { state in
      [state.newest.purchaseDate, state.firstSigned, state.newest.expiresDate].compactMap { $0 }
    } + revocations.keys.map(\.revocationDate)
  }
}
