import AppStoreModel
import LedgerStorage
import Synchronization

/// A store that a test makes hang, and lets go on.
final class BlockableStore: LedgerStore {
  /// Where a write stands still.
  enum Place {
    /// It never begins.
    case before
    /// It is carried out, and says nothing.
    case after
  }

  private struct State {
    var place: Place?
    var held: [@Sendable () -> Void] = []
  }

  private let inner: any LedgerStore
  private let state = Mutex(State())

  init(_ inner: any LedgerStore) {
    self.inner = inner
  }

  var realm: Realm { inner.realm }
  var waitingWrites: Int { inner.waitingWrites }

  func block(_ place: Place) {
    state.withLock { $0.place = place }
  }

  func release() {
    let held = state.withLock { state in
      state.place = nil
      defer { state.held = [] }
      return state.held
    }
    for step in held { step() }
  }

  func write<Value: Sendable>(
    _ work: @escaping @Sendable (any SQLSession) throws(StoreError) -> Value,
    completion: @escaping @Sendable (Result<Value, StoreError>) -> Void
  ) {
    let inner = inner
    switch state.withLock({ $0.place }) {
    case nil: inner.write(work, completion: completion)
    case .before: hold { inner.write(work, completion: completion) }
    case .after:
      inner.write(work) { [self] result in hold { completion(result) } }
    }
  }

  /// Keeps a step until the store is released; one that comes later goes on at once.
  private func hold(_ step: @escaping @Sendable () -> Void) {
    let isHeld = state.withLock { state in
      guard state.place != nil else { return false }
      state.held.append(step)
      return true
    }
    if !isHeld { step() }
  }

  func makeReader() throws(StoreError) -> any StoreReader { try inner.makeReader() }
  func check() throws(StoreError) { try inner.check() }

  func close() {
    release()
    inner.close()
  }
}
