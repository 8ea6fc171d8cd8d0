import AppStoreModel

extension AnswerObject {
  func transactionPage() throws(AppStoreServerError) -> TransactionPage {
    TransactionPage(
      try signedList("signedTransactions"), revision: try text("revision"),
      hasMore: try flag("hasMore") ?? false, bundleId: try text("bundleId"),
      appAppleId: try number("appAppleId"), environment: try environment())
  }

  func subscriptionStatuses() throws(AppStoreServerError) -> SubscriptionStatuses {
    var groups: [SubscriptionStatuses.Group] = []
    for group in try objects("data") { groups.append(try group.statusGroup()) }
    return SubscriptionStatuses(
      groups, bundleId: try text("bundleId"), appAppleId: try number("appAppleId"),
      environment: try environment())
  }

  func orderLookup() throws(AppStoreServerError) -> OrderLookup {
    OrderLookup(
      isValid: try required("status", number("status")) == 0,
      try signedList("signedTransactions"))
  }

  private func statusGroup() throws(AppStoreServerError) -> SubscriptionStatuses.Group {
    var items: [SubscriptionStatuses.Item] = []
    for item in try objects("lastTransactions") { items.append(try item.statusItem()) }
    return SubscriptionStatuses.Group(try text("subscriptionGroupIdentifier"), items)
  }

  private func statusItem() throws(AppStoreServerError) -> SubscriptionStatuses.Item {
    let number = try required("status", number("status"))
    guard let status = Int32(exactly: number) else {
      throw .unreadableAnswer("status is out of range")
    }
    return SubscriptionStatuses.Item(
      try required("originalTransactionId", text("originalTransactionId")),
      SubscriptionStatus(rawValue: status),
      signedTransactionInfo: try signed("signedTransactionInfo"),
      signedRenewalInfo: try signed("signedRenewalInfo"))
  }

  private func environment() throws(AppStoreServerError) -> AppStoreEnvironment? {
    try text("environment").map { AppStoreEnvironment(rawValue: $0) }
  }
}
