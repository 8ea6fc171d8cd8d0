import AppStoreModel
import EntitlementLedger
import HTTPListener
import JSON5
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

extension EventType {
  /// Reads one that somebody asks for: what no event will ever be is refused, with what was probably
  /// meant.
  init(stated word: String, as code: ProblemCode) throws(Problem) {
    if let known = EventType(rawValue: word) {
      self = known
      return
    }
    let words = EventType.allCases.map(\.rawValue)
    let shown = StatedText.isPlain(word, upTo: 64) ? word : "One of types"
    if let meant = word.nearest(in: words) {
      throw Problem(code, "\(shown) is no type of event; is \(meant) meant?")
    }
    throw Problem(
      code, "\(shown) is no type of event; there are \(words.joined(separator: ", ")).")
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
      return Set(
        try words.map { (word) throws(Problem) in
          try EventType(stated: word, as: .badParameter).rawValue
        })
    }
  }
}
