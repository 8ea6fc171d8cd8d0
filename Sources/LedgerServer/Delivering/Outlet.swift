import AppStoreModel
import LedgerStorage

/// One destination as it is being served: used by one thread alone.
struct Outlet {
  var destination: Destination
  var secrets: [DestinationSecret]
  /// That of what is new first, then repetitions.
  var queues: [DeliveryQueue]
  var failingSince: Timestamp?
  var underWay = 0
  /// What the store has not been told yet.
  var steps: [DeliveryStep] = []

  init(_ destination: Destination, _ secrets: [DestinationSecret], _ queues: [DeliveryQueue]) {
    self.destination = destination
    self.secrets = secrets
    self.queues = queues
    failingSince = destination.failingSince
  }

  var isEnabled: Bool { destination.disabledAt == nil }
  var heldCount: Int { queues.reduce(0) { $0 + $1.heldCount } }

  /// Whether more may be read from the store.
  func mayRead(_ rules: DeliveryRules) -> Bool {
    heldCount < (failingSince == nil ? rules.held : rules.heldWhileFailing)
  }

  /// How many more requests may begin: a destination that fails is tried one at a time.
  func room(_ rules: DeliveryRules) -> Int {
    guard isEnabled, steps.count < 2_000 else { return 0 }
    return max(0, (failingSince == nil ? rules.parallel : 1) - underWay)
  }

  /// Whether an item is for this destination.
  func wants(_ item: OutgoingItem) -> Bool {
    guard destination.kind == .webhook else { return true }
    guard let scope = item.scope, let type = item.type else { return false }
    return destination.environment == scope.environment
      && destination.bundleIds.contains(scope.bundleId)
      && (destination.types.isEmpty || destination.types.contains(type))
  }

  /// Remembers how an attempt ended, and whether the destination is to be disabled for it.
  mutating func note(_ answer: DispatchAnswer, at now: Timestamp, _ rules: DeliveryRules) {
    guard !answer.isSuccess else {
      if failingSince != nil { steps.append(.failing(destination: destination.id, since: nil)) }
      return failingSince = nil
    }
    let since = failingSince ?? now
    if failingSince == nil { steps.append(.failing(destination: destination.id, since: since)) }
    failingSince = since
    guard destination.kind == .webhook, isEnabled else { return }
    if answer.isGone {
      disable(.gone, at: now)
    } else if now >= since.adding(rules.disablesAfter) {
      disable(.failing, at: now)
    }
  }

  private mutating func disable(_ reason: Destination.Stop, at now: Timestamp) {
    destination = destination.disabled(reason, at: now)
    steps.append(.disable(destination: destination.id, reason, at: now))
  }
}
