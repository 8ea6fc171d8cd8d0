extension APIFault {
  /// The fault that a scenario plans, absent when it names no endpoint.
  init?(_ planned: CallFault) {
    guard let endpoint = APIEndpoint(word: planned.endpoint) else { return nil }
    self.init(.refusal(planned.errorCode), at: endpoint, count: planned.times)
  }
}

extension APIEndpoint {
  /// The names that this program has for all of them.
  static let words = allCases.map(\.rawValue).joined(separator: ", ")

  private static let paths: [String: APIEndpoint] = [
    "transactions": .transactionInfo, "appTransactions": .appTransactionInfo,
    "subscriptions": .statuses, "refund/lookup": .refundHistory,
    "notifications/history": .notificationHistory, "notifications/test": .requestTest,
    "lookup": .orderLookup, "transactions/consumption": .consumption,
    "subscriptions/extend": .extend, "subscriptions/extend/mass": .extendMass,
  ]

  /// The endpoint of the last words of a path, or of a name of this list.
  package init?(word: String) {
    guard let endpoint = Self.paths[word] ?? APIEndpoint(rawValue: word) else { return nil }
    self = endpoint
  }
}

extension APIAnswer {
  /// What Apple answers with an error code: JSON, or plain text where the token was refused.
  static func refusal(_ code: Int64) -> APIAnswer {
    if code / 10_000 == 401 { return .text("Unauthenticated\n", status: 401) }
    return .failure(APIError.all[code] ?? APIError(code, "Planned by the simulator."))
  }
}
