import AppStoreModel
import EntitlementLedger
import Testing

struct ChainJoinTests {
  @Test func `a repeat is no news`() throws {
    let month = Sample.month()
    let facts = [
      try notified(.subscribed, .day(0), month, Sample.renewal(), status: .active),
      try notified(.refund, .day(2), month.revoked(.day(2)), status: .revoked),
      try notified(.refundReversed, .day(3), month, status: .active),
      try notified(.refund, .day(4), month), try reported(.active, month, Sample.renewal()),
      try seen(Sample.renewal()),
    ]
    var known = chain(facts)
    let before = known
    for fact in facts { #expect(!known.join(fact).isNews) }
    #expect(known == before)
  }

  @Test func `a change names the records it touched`() throws {
    var known = Chain(key: Sample.key)
    let month = Sample.month()
    let bought = known.join(
      try notified(.subscribed, .day(0), month, Sample.renewal(), status: .active, uuid: "s"))
    #expect(bought.transactionIds == ["1"])
    #expect(bought.renewal)
    #expect(bought.statusIds == ["s"])

    let refunded = known.join(
      try notified(.refund, .day(2), month.revoked(.day(2)), status: .revoked, uuid: "r"))
    let key = RevocationKey(transactionId: "1", revocationDate: .day(2))
    #expect(refunded.revocations == [key])
    #expect(known.revocations[key]?.refundSeen == true)

    let reversed = known.join(try notified(.refundReversed, .day(3), month, uuid: "v"))
    #expect(
      reversed.reversals == [NotificationMark(transactionId: "1", notificationUUID: "v")])
    let undated = known.join(try notified(.revoke, .day(4), month, uuid: "u"))
    #expect(
      undated.undatedRevocations == [NotificationMark(transactionId: "1", notificationUUID: "u")])
  }

  @Test func `facts of another chain or scope change nothing`() throws {
    var known = Chain(key: Sample.key)
    #expect(!known.join(try seen(Sample.once(.nonConsumable, "2"))).isNews)
    let sandbox = Sample.month { $0.environment = .sandbox }
    #expect(!known.join(try seen(sandbox)).isNews)
  }

  @Test func `a chain that is continued keeps the earliest purchase that says so`() throws {
    var known = Chain(key: Sample.key)
    func successor(_ day: Int64) throws -> LedgerFact {
      try seen(
        Sample.month("2", from: .day(day)) {
          $0.originalTransactionId = "2"
          $0.previousOriginalTransactionId = "1"
        })
    }
    #expect(known.join(try successor(9)).succession)
    #expect(known.join(try successor(8)).succession)
    #expect(!known.join(try successor(9)).succession)
    #expect(known.succeededAt == .day(8))
    #expect(known.transactions.isEmpty)
  }

  @Test func `at equal clocks the revoked copy is kept in any order, and Apple is asked`() throws {
    let clean = try seen(Sample.month(signed: .day(5)))
    let revoked = try seen(Sample.month().revoked(.day(5)))
    #expect(chain(clean, revoked) == chain(revoked, clean, revoked))
    let answer = chain(clean, revoked).answer(at: .day(6))
    #expect(answer.products.map(\.reason) == [.refunded])
    #expect(answer.doubts.contains(.equalClocks))
  }

  @Test func `at equal clocks two clean copies are told apart by their hash`() throws {
    let copies = [false, true].map { flag in Sample.month { $0.isUpgraded = flag } }
    let facts = try copies.map { try seen($0, by: .poll) }
    #expect(chain(facts) == chain(facts.reversed()))
    #expect(chain(facts).transactions["1"]?.isContested == true)
    let later = try seen(Sample.month(signed: .day(1)))
    #expect(chain(facts + [later]).transactions["1"]?.isContested == false)
  }

  @Test func `at equal clocks two renewals are told apart by their hash`() throws {
    let facts = [
      try seen(Sample.renewal { $0.autoRenewStatus = .off }), try seen(Sample.renewal()),
      try seen(Sample.renewal { $0.expirationIntent = .customerCancelled }),
    ]
    for order in Orders.permutations(facts) {
      #expect(chain(order) == chain(facts))
      #expect(chain(order + order).renewalIsContested)
    }
    #expect(!chain(facts + [try seen(Sample.renewal(signed: .day(1)))]).renewalIsContested)
    #expect(chain(facts).answer(at: .day(1)).doubts == [.equalClocks])
  }

  @Test func `a notification signed again keeps its earliest copy`() throws {
    let month = Sample.month()
    let first = try notified(.subscribed, .day(0), month, status: .active, uuid: "s")
    let again = try notified(.subscribed, .day(5), month, status: .active, uuid: "s")
    #expect(chain(first, again) == chain(again, first))
    #expect(chain(first, again).statuses["s"]?.date == .day(0))
    let twin = try notified(.subscribed, .day(0), month, status: .revoked, uuid: "s")
    #expect(chain(first, twin) == chain(twin, first))
    #expect(chain(first, twin).statuses["s"]?.status == .revoked)
  }

  @Test func `a question about the past uses what was signed by then`() throws {
    let facts = [
      try notified(.subscribed, .day(0), Sample.month()),
      try notified(.refund, .day(9), Sample.month().revoked(.day(9))),
    ]
    let then = Chain(key: Sample.key, folding: facts, signedBy: .day(8))
    #expect(then.answer(at: .day(8)).products.map(\.reason) == [.activePeriod])
    #expect(chain(facts).answer(at: .day(8)).products.map(\.reason) == [.refunded])
  }

  @Test func `seats, tokens and storefront are read; a token of zeroes is none`() throws {
    let copy = chain(
      try seen(
        Sample.month {
          $0.quantity = 5
          $0.appAccountToken = "0C9FAAAA-0000-0000-0000-0000000000AA"
          $0.storefront = "USA"
          $0.offerType = .winBack
        })
    ).transactions["1"]?.newest
    #expect(copy?.quantity == 5)
    #expect(copy?.appAccountToken == "0c9faaaa-0000-0000-0000-0000000000aa")
    #expect(copy?.offerType == .winBack)
    let none = Sample.month { $0.appAccountToken = "00000000-0000-0000-0000-000000000000" }
    #expect(chain(try seen(none)).transactions["1"]?.newest.appAccountToken == nil)
  }
}
