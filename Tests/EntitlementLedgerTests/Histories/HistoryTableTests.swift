import AppStoreModel
import EntitlementLedger
import Testing

@Suite struct HistoryTableTests {
  @Test(arguments: History.all)
  func `every order of a history gives its wanted answer`(history: History) throws {
    let facts = try history.facts.map { try $0.fact() }
    let orders = Orders.all(of: facts)
    var digests: Set<String> = []
    for order in orders + orders.map(Orders.withRepeats) {
      let ledger = RealLedger(order)
      let isGranted = ledger.isGranted(at: history.now)
      #expect(isGranted == (history.want == .grant), "\(ledger.reasons(at: history.now))")
      if let debits = history.debits { #expect(ledger.debits.count == debits) }
      if let total = history.total { #expect(ledger.debits.reduce(0, +) == total) }
      if digests.count < 2 { digests.insert(ledger.digest) }
    }
    #expect(digests.count == 1)
  }

  @Test(arguments: History.all)
  func `the naive ledger gives each history its wanted answer`(history: History) {
    let customer = NaiveCustomer(history.facts)
    #expect(customer.isGranted(at: history.now) == (history.want == .grant))
    if let debits = history.debits { #expect(customer.debits.count == debits) }
    if let total = history.total { #expect(customer.debits.reduce(0, +) == total) }
  }

  @Test func `every history of the list is in the table, once`() {
    let numbers = History.all.map(\.number)
    let listed = (1...72).map { $0 < 10 ? "0\($0)" : "\($0)" } + ["12a"]
    #expect(Set(numbers).isSuperset(of: listed))
    #expect(Set(numbers).count == numbers.count)
  }
}
