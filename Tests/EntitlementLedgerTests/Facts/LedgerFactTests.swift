import AppStoreModel
import EntitlementLedger
import Testing

struct LedgerFactTests {
  private let customer = CustomerID.anonymous(appTransactionId: "9")

  @Test func `a fact is dated by the latest date signed in it`() throws {
    let month = Sample.month(signed: .day(1))
    let renewal = Sample.renewal(signed: .day(2))
    #expect(try notified(.didRenew, .day(3), month, renewal).date == .day(3))
    #expect(try seen(month).date == .day(1))
    #expect(try seen(renewal).date == .day(2))
    #expect(try reported(.active, month, renewal).date == .day(2))
    #expect(try reported(.active, month).date == .day(1))
  }

  @Test func `a notification without an outer date counts at the latest inner one`() throws {
    let fact = try NotificationFact(
      Sample.proved(Sample.envelope(.didRenew, nil)),
      transaction: Sample.proved(Sample.month(signed: .day(1))),
      renewal: Sample.proved(Sample.renewal(signed: .day(2))), channel: .history)
    #expect(fact.outerDate == .day(2))
    #expect(fact.channel == .history)
  }

  @Test func `a fact names its chain and the chain it continues`() throws {
    let fact = try seen(Sample.month { $0.previousOriginalTransactionId = "0" })
    #expect(fact.chains.map(\.originalTransactionId) == ["1", "0"])
    #expect(try seen(Sample.renewal()).chains == [Sample.key])
    let itself = try seen(Sample.month { $0.previousOriginalTransactionId = "1" })
    #expect(itself.chains == [Sample.key])
  }

  @Test func `a renewal alone can make a notification a fact`() throws {
    let fact = try notified(
      .didChangeRenewalStatus, .day(1), nil, Sample.renewal(), status: .active)
    #expect(fact.chains == [Sample.key])
    #expect(chain(fact).renewal != nil)
    #expect(chain(fact).answer(at: .day(5)).products.map(\.reason) == [.activeByStatus])
  }

  @Test func `a fact of our own touches no chain`() {
    let own = OwnFact(
      scope: Sample.scope, recordedAt: .day(4), note: "support",
      statement: .transfer(to: customer, originalTransactionId: "1"))
    let fact = LedgerFact.own(own)
    #expect(fact.chains == [])
    #expect(fact.date == .day(4))
    #expect(fact.scope == Sample.scope)
    #expect(fact.explanation() == nil)
    var known = Chain(key: Sample.key)
    #expect(!known.join(fact).isNews)
  }

  @Test func `only Apple's own API may reopen`() {
    #expect(Channel.allCases.filter(\.isAppleAPI) == [.poll, .import])
  }
}
