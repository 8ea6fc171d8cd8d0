import AppStoreModel
import AppStoreVerification

extension APIRequest {
  static func transactionInfo(_ id: String) throws(AppStoreServerError) -> APIRequest {
    try APIRequest(.transactionInfo, "inApps/v1/transactions", id: id, named: "transactionId")
  }

  static func appTransactionInfo(_ id: String) throws(AppStoreServerError) -> APIRequest {
    try APIRequest(
      .appTransactionInfo, "inApps/v1/transactions/appTransactions", id: id,
      named: "anyTransactionId")
  }

  static func transactionHistory(
    _ id: String, _ query: HistoryQuery, after revision: String?
  ) throws(AppStoreServerError) -> APIRequest {
    if let start = query.startDate, let end = query.endDate, start >= end {
      throw .badRequest(.emptyWindow)
    }
    return try APIRequest(
      .transactionHistory, "inApps/v2/history", id: id, named: "anyTransactionId",
      query: query.parameters + mark("revision", revision))
  }

  static func subscriptionStatuses(
    _ id: String, only wanted: [SubscriptionStatus]
  ) throws(AppStoreServerError) -> APIRequest {
    try APIRequest(
      .subscriptionStatuses, "inApps/v1/subscriptions", id: id, named: "anyTransactionId",
      query: wanted.map { ("status", String($0.rawValue)) })
  }

  static func refundHistory(
    _ id: String, after revision: String?
  ) throws(AppStoreServerError) -> APIRequest {
    try APIRequest(
      .refundHistory, "inApps/v2/refund/lookup", id: id, named: "anyTransactionId",
      query: mark("revision", revision))
  }

  static func lookUpOrder(
    _ id: String, in environment: ServerEnvironment
  ) throws(AppStoreServerError) -> APIRequest {
    guard environment == .production else { throw .badRequest(.productionOnly) }
    return try APIRequest(.lookUpOrder, "inApps/v1/lookup", id: id, named: "orderId")
  }

  static func setAppAccountToken(
    _ token: String, for id: String
  ) throws(AppStoreServerError) -> APIRequest {
    guard UUIDText.isOne(token) else { throw .badRequest(.badAccountToken) }
    var writer = JSONWriter()
    writer.object { $0.member("appAccountToken", token.lowercased()) }
    return try APIRequest(
      .setAppAccountToken, "inApps/v1/transactions", id: id, named: "originalTransactionId",
      after: ["appAccountToken"], body: writer.bytes)
  }

  static func finishTransaction(_ id: String) throws(AppStoreServerError) -> APIRequest {
    try APIRequest(
      .finishTransaction, "inApps/v1/transactions", id: id, named: "transactionId",
      after: ["finish"])
  }

  /// An empty mark is none: Apple refuses a parameter without a value.
  static func mark(_ name: String, _ value: String?) -> [(String, String)] {
    guard let value, !value.isEmpty else { return [] }
    return [(name, value)]
  }
}

extension HistoryQuery {
  fileprivate var parameters: [(String, String)] {
    var list: [(String, String)] = []
    if let startDate { list.append(("startDate", String(startDate.millisecondsSince1970))) }
    if let endDate { list.append(("endDate", String(endDate.millisecondsSince1970))) }
    list += productIds.filter { !$0.isEmpty }.map { ("productId", $0) }
    list += productTypes.map { ("productType", $0.rawValue) }
    list += subscriptionGroupIdentifiers.filter { !$0.isEmpty }
      .map { ("subscriptionGroupIdentifier", $0) }
    if let inAppOwnershipType {
      list.append(("inAppOwnershipType", inAppOwnershipType.rawValue))
    }
    if let revoked { list.append(("revoked", String(revoked))) }
    if newestFirst { list.append(("sort", "DESCENDING")) }
    return list
  }
}
