import AppStoreModel

/// What one purchase of a chain says at one moment, before the catalog is asked.
struct Outcome: Hashable {
  /// In the reading's order; `nil` for a period that only a status shows.
  let purchase: Int?
  let reason: DecisionReason
  let until: Timestamp?

  init(_ purchase: Int?, _ reason: DecisionReason, until: Timestamp? = nil) {
    self.purchase = purchase
    self.reason = reason
    self.until = until
  }

  var isGranted: Bool { reason.verdict == .granted }
}
