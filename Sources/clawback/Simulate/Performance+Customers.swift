import AppStoreSimulator

extension Performance {
  /// Whom to ask a server about, in the order in which they came.
  ///
  /// A recording names nobody: there the tokens that its purchases carry stand for themselves.
  ///
  /// - Returns: A sentence for each.
  func customers(of deliveries: [Delivery]) -> [String] {
    guard let played else {
      return Set(deliveries.compactMap(\.message.label.appAccountToken)).sorted().map {
        "The app's customer is \($0)."
      }
    }
    let meant = Set(deliveries.compactMap(\.message.label.customer))
    return played.store.customers.filter { meant.contains($0.name) }.map(\.introduction)
  }
}

extension Customer {
  /// How a server calls them that was told nothing else: by the account token, or else by the purchases
  /// of one Apple Account.
  var defaultID: String { appAccountToken ?? "atx:\(appTransactionId)" }

  /// Shape: a sentence.
  var introduction: String {
    let end = appAccountToken == nil ? ", and passes no token." : "."
    return "The app's customer \(name) is \(defaultID)\(end)"
  }
}
