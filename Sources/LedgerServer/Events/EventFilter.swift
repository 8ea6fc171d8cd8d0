import AppStoreModel
import EntitlementLedger
import HTTPListener
import LedgerStorage

/// Which events a reader gets: those of its key's apps and environment, of the types that it wants.
struct EventFilter: Sendable {
  let bundleIds: Set<String>
  let environment: AppStoreEnvironment
  /// `nil` for every type, also of those that later versions add.
  let types: Set<String>?

  func admits(_ event: StoredEvent) -> Bool {
    environment == event.scope.environment && bundleIds.contains(event.scope.bundleId)
      && types?.contains(event.type) ?? true
  }
}

extension EventFilter {
  /// Reads `?app=` and `?types=` within what the call's key reaches.
  init(_ call: Call) throws(Problem) {
    guard let key = call.key else { preconditionFailure("Events are only read with a key.") }
    let named = call.request.target["app"] == nil ? nil : try call.scope().bundleId
    bundleIds = named.map { [$0] } ?? key.bundleIds
    environment = key.environment
    types = try call.request.target["types"].map { (text) throws(Problem) in
      let words = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      guard words.count <= 64, !words.contains(where: \.isEmpty) else {
        throw Problem(.badParameter, "types is a list of event types, as revoked,restored.")
      }
      return Set(words)
    }
  }
}
