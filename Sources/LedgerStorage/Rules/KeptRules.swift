import Synchronization

/// The rules in force: the configuration's, with what was stated over them.
///
/// They are read from the store when first asked for, and again after a statement.
final class KeptRules: Sendable {
  private struct State {
    var rules: LedgerRules?
    /// Tells whether rules that were just read are still the latest.
    var changes = 0
  }

  let configured: LedgerRules
  private let state = Mutex(State())

  init(_ configured: LedgerRules) {
    self.configured = configured
  }

  /// As far as they were read.
  var known: LedgerRules { state.withLock { $0.rules } ?? configured }

  func current(in session: any SQLSession) throws(StoreError) -> LedgerRules {
    let (rules, changes) = state.withLock { ($0.rules, $0.changes) }
    if let rules { return rules }
    let read = configured.with(try StatementTable(session: session).standing())
    state.withLock { state in
      if state.rules == nil, state.changes == changes { state.rules = read }
    }
    return read
  }

  /// - Parameter rules: `nil` has them read again.
  func replace(with rules: LedgerRules?) {
    state.withLock { state in
      state.rules = rules
      state.changes += 1
    }
  }
}
