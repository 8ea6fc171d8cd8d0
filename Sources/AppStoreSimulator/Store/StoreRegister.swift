/// Who has what, so that no question about one customer or purchase has to look at all the others.
///
/// Every list is in the order in which its entries came.
struct StoreRegister: Sendable {
  /// The `originalTransactionId` of every auto-renewable subscription; its place is its number.
  private(set) var chains: [String] = []

  private var numbers: [String: Int] = [:]
  private var owned: [String: [String]] = [:]
  private var subscribed: [String: [String]] = [:]
  private var copies: [String: [String]] = [:]
  private var shares: [String: [String]] = [:]
  private var names: [String: Int] = [:]
  private var accounts: [String: Int] = [:]

  mutating func enroll(_ customer: Customer, at place: Int) {
    if names[customer.name] == nil { names[customer.name] = place }
    if accounts[customer.appTransactionId] == nil { accounts[customer.appTransactionId] = place }
  }

  mutating func add(_ transactionId: String, of customer: Customer, sharedFrom: String?) {
    owned[customer.appTransactionId, default: []].append(transactionId)
    if let sharedFrom { copies[sharedFrom, default: []].append(transactionId) }
  }

  mutating func begin(_ subscription: Subscription) {
    let id = subscription.originalTransactionId
    numbers[id] = chains.count
    chains.append(id)
    subscribed[subscription.customer.appTransactionId, default: []].append(id)
    if let payer = subscription.sharedFrom { shares[payer, default: []].append(id) }
  }

  func number(ofChain originalTransactionId: String) -> Int? { numbers[originalTransactionId] }

  /// The place of the first customer of that name.
  func place(named name: String) -> Int? { names[name] }

  func place(ofAccount appTransactionId: String) -> Int? { accounts[appTransactionId] }

  /// The transactions of a customer.
  func transactions(of customer: Customer) -> [String] { owned[customer.appTransactionId] ?? [] }

  /// The chains of a customer.
  func chains(of customer: Customer) -> [String] { subscribed[customer.appTransactionId] ?? [] }

  /// The transactions that are shares of a purchase or seats of it.
  func copies(of transactionId: String) -> [String] { copies[transactionId] ?? [] }

  /// The chains that are shares of one, or seats of it.
  func shares(of originalTransactionId: String) -> [String] {
    shares[originalTransactionId] ?? []
  }
}
