import AppStoreModel

/// The reasons that a customer can give for asking for a refund, by Apple's words.
enum RefundReasons {
  static let byWord: [String: ConsumptionRequestReason] = {
    let all: [ConsumptionRequestReason] = [
      .unintendedPurchase, .fulfillmentIssue, .unsatisfiedWithPurchase, .legal, .other,
    ]
    return Dictionary(uniqueKeysWithValues: all.map { ($0.rawValue, $0) })
  }()

  static var words: String { byWord.keys.sorted().joined(separator: ", ") }
}
