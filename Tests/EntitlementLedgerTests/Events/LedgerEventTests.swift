import AppStoreModel
import EntitlementLedger
import Testing

struct LedgerEventTests {
  private let month = Sample.month()

  private func answer(_ facts: [LedgerFact], at now: Timestamp) -> CustomerAnswer {
    let chains = facts.isEmpty ? [] : [chain(facts).answer(at: now)]
    return CustomerAnswer(chains: chains, at: now)
  }

  private func kinds(
    _ before: [LedgerFact], _ after: [LedgerFact], at now: Timestamp
  ) -> [LedgerEvent.Kind] {
    LedgerEvent.difference(from: answer(before, at: now), to: answer(after, at: now)).map(\.kind)
  }

  @Test func `a life of a purchase is told in its words`() throws {
    let bought = try notified(.subscribed, .day(0), month)
    let refunded = try notified(.refund, .day(5), month.revoked(.day(5)))
    let undone = try notified(.refundReversed, .day(7), month)
    let moved = try seen(Sample.month(signed: .day(8)) { $0.expiresDate = .day(40) })
    #expect(kinds([], [bought], at: .day(1)) == [.granted])
    #expect(kinds([bought], [bought, refunded], at: .day(5)) == [.revoked])
    #expect(kinds([bought, refunded], [bought, refunded, undone], at: .day(7)) == [.restored])
    #expect(kinds([bought], [bought, moved], at: .day(9)) == [.changed])
    #expect(kinds([bought], [bought], at: .day(9)) == [])
    #expect(kinds([], [refunded], at: .day(9)) == [.changed])
  }

  @Test func `an expiry is an event without a fact, with the whole new decision`() throws {
    let known = [try notified(.subscribed, .day(0), month)]
    let events = LedgerEvent.difference(
      from: answer(known, at: .day(29)), to: answer(known, at: .day(30)))
    #expect(events.map(\.kind) == [.expired])
    #expect(events.first?.decision?.reason == .expired)
    #expect(events.first?.changesAccess == true)
    let again = LedgerEvent.difference(
      from: answer(known, at: .day(30)), to: answer(known, at: .day(5)))
    #expect(again.map(\.kind) == [.granted])
  }

  @Test func `access that can no longer be told is uncertain`() throws {
    let known = answer([try seen(month)], at: .day(5))
    let events = LedgerEvent.difference(from: known, to: answer([], at: .day(5)))
    #expect(events.map(\.kind) == [.uncertain])
  }

  @Test func `a refund of an earlier period is told, flagged as leaving access alone`() throws {
    let running = [try seen(month), try seen(Sample.month("2", from: .day(30)))]
    let refunded = try notified(.refund, .day(40), month.revoked(.day(40)), status: .active)
    let access = LedgerEvent.difference(
      from: answer(running, at: .day(41)), to: answer(running + [refunded], at: .day(41)))
    #expect(access == [])
    let money = LedgerEvent.difference(
      from: chain(running).refundEntries(), to: chain(running + [refunded]).refundEntries(),
      changesAccess: !access.isEmpty)
    #expect(money.map(\.kind) == [.refunded])
    #expect(money.first?.changesAccess == false)
    #expect(money.first?.refund?.netRefund?.milliunits == 9_990)
  }

  @Test func `money is refunded, amended and reversed`() throws {
    let full = try notified(.refund, .day(5), month.revoked(.day(5)))
    let half = try seen(month.revoked(.day(5), signed: .day(6), share: 50_000))
    let undone = try notified(.refundReversed, .day(7), month)
    let states = [[full], [full, half], [full, half, undone]].map { chain($0).refundEntries() }
    func kinds(_ before: [RefundEntry], _ after: [RefundEntry]) -> [LedgerEvent.Kind] {
      LedgerEvent.difference(from: before, to: after, changesAccess: true).map(\.kind)
    }
    #expect(kinds([], states[0]) == [.refunded])
    #expect(kinds(states[0], states[1]) == [.refundAmended])
    #expect(kinds(states[1], states[2]) == [.refundReversed])
    #expect(kinds(states[2], states[2]) == [])
  }
}
