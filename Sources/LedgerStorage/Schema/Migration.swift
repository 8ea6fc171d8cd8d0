/// One named step of the schema: appended to the list, never edited once released.
package struct Migration: Sendable {
  /// Names it for ever: this is what a database remembers.
  package let name: String
  package let statements: [String]

  package init(_ name: String, _ statements: [String]) {
    self.name = name
    self.statements = statements
  }
}

extension Migration {
  /// Every step, oldest first.
  package static let all = [
    identity, facts, state, answers, spending, administration, reconciliation, cases, alerts,
    grants, eventCauses, spendGate, claims, passes, eventFloors, signals, clusters, runningCosts,
    deliveries, deadLetterTracks, importLines, nearestShares, erasure, statedRules,
    erasedGrants, payoutParts, versionFloor, owedPeriods, spendRights, lotFills,
  ]
}
