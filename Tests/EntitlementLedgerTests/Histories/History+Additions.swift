import AppStoreModel

// Rows beside the list: who owns a purchase, and how much of it went back.

private let first = Copy.period("p1", .day(0), .day(30))
private let seats = first.with { $0.quantity = 5 }
private let seat = Copy.period("s1", .day(0), .day(30), of: "s1").with { $0.owner = .assigned }
private let memberOne = Copy.period("f1", .day(0), .day(30), of: "f1").shared
private let memberTwo = Copy.period("f2", .day(0), .day(30), of: "f2").shared
private let lent = first.with { $0.owner = .unheardOf }
private let coins = Copy.once("c1", .consumable, .day(0)).with { $0.quantity = 3 }
private let ticket = first.with { $0.kind = .unheardOf }
private let lifetime = Copy.once("lt", .lifetime, .day(0))

private func priced(_ price: Int64?) -> Copy { lifetime.with { $0.price = price } }

private func bought(_ copy: Copy) -> Statement { told("ONE_TIME_CHARGE", copy, .day(0)) }

private func refunded(_ copy: Copy, share: Int32?) -> Statement {
  told(
    "REFUND", copy.refunded(.day(10), share: share, type: "REFUND_PRORATED"), .day(10))
}

extension History {
  /// Seats, families, and owners that nobody has heard of.
  static let owners: [History] = [
    History(
      "a01", "seats: the buyer keeps theirs when one seat is withdrawn", .grant, at: .day(11),
      debits: 0,
      told("SUBSCRIBED", seats, .day(0), st: 1),
      told("REVOKE", seat.refunded(.day(10), type: "ASSIGNMENT_REVOKE"), .day(10), st: 5)),
    History(
      "a02", "seats: the member whose seat is withdrawn", .deny, at: .day(11), debits: 0,
      told("SUBSCRIBED", seat, .day(0), st: 1),
      told("REVOKE", seat.refunded(.day(10), type: "ASSIGNMENT_REVOKE"), .day(10), st: 5)),
    History(
      "a03", "seats: the same without a type", .deny, at: .day(11), debits: 0,
      told("SUBSCRIBED", seat, .day(0), st: 1),
      told("REVOKE", seat.refunded(.day(10)), .day(10), st: 5)),
    History(
      "a04", "seats: all five refunded are one purchase", .deny, at: .day(11), debits: 1,
      total: 9_990,
      told("SUBSCRIBED", seats, .day(0), st: 1),
      told("REFUND", seats.refunded(.day(10)), .day(10), st: 5)),
    History(
      "a05", "family: one refund and two REVOKEs are one debit", .deny, at: .day(11),
      debits: 1, total: 9_990,
      told("REFUND", first.refunded(.day(10)), .day(10), st: 5),
      told("REVOKE", memberOne.withdrawn(.day(10)), .day(10, 0, 1), st: 5),
      told("REVOKE", memberTwo.withdrawn(.day(10)), .day(10, 0, 2), st: 5)),
    History(
      "a06", "family: one leaves, the others stay", .grant, at: .day(11), debits: 0,
      told("SUBSCRIBED", memberTwo, .day(0), st: 1),
      told("REVOKE", memberOne.withdrawn(.day(10)), .day(10), st: 5)),
    History(
      "a07", "family: shared again with a notification, not yet read", .deny, at: .day(13),
      told("REVOKE", memberOne.withdrawn(.day(10)), .day(10), st: 5),
      told("SUBSCRIBED", memberOne, .day(12), st: 1)),
    History(
      "a08", "family: the same, read 15 minutes later", .grant, at: .day(13),
      told("REVOKE", memberOne.withdrawn(.day(10)), .day(10), st: 5),
      told("SUBSCRIBED", memberOne, .day(12), st: 1),
      info(memberOne, .day(12, 0, 15))),
    History(
      "a09", "family: the buyer's reversal gives the member nothing by itself", .deny,
      at: .day(13), debits: 0,
      told("REVOKE", memberOne.withdrawn(.day(10)), .day(10), st: 5),
      told("REVOKE", memberTwo.withdrawn(.day(10)), .day(10), st: 5)),
    History(
      "a10", "an owner nobody has heard of: access", .grant, at: .day(5),
      told("SUBSCRIBED", lent, .day(0), st: 1)),
    History(
      "a11", "an owner nobody has heard of: never money", .deny, at: .day(11), debits: 0,
      told("SUBSCRIBED", lent, .day(0), st: 1),
      told("REVOKE", lent.refunded(.day(10), type: "FAMILY_REVOKE"), .day(10), st: 5)),
    History(
      "a12", "a status nobody has heard of is none", .grant, at: .day(11),
      told("SUBSCRIBED", first, .day(0), st: 1),
      told("EXPIRED", first, .day(10), st: 9)),
    History(
      "a13", "a product type nobody has heard of goes by its dates", .grant, at: .day(11),
      told("SUBSCRIBED", ticket, .day(0))),
    History(
      "a14", "the same when it is over", .deny, at: .day(32),
      told("SUBSCRIBED", ticket, .day(0))),
  ]

  /// Amounts that go back, and what is not money.
  static let amounts: [History] = [
    History(
      "b01", "a third of three consumables", .deny, at: .day(11), debits: 1, total: 3_330,
      bought(coins), refunded(coins, share: 33_333)),
    History(
      "b02", "a prorated share keeps its milliunits", .deny, at: .day(11), total: 24_896,
      bought(priced(59_990)), refunded(priced(59_990), share: 41_500)),
    History(
      "b03", "half a milliunit rounds to even: down", .deny, at: .day(11), total: 2,
      bought(priced(5)), refunded(priced(5), share: 50_000)),
    History(
      "b04", "half a milliunit rounds to even: up", .deny, at: .day(11), total: 4,
      bought(priced(7)), refunded(priced(7), share: 50_000)),
    History(
      "b05", "a refund without a share is whole", .deny, at: .day(11), total: 9_990,
      bought(lifetime), told("REFUND", lifetime.refunded(.day(10)), .day(10))),
    History(
      "b05a", "a prorated refund without a share is whole too", .deny, at: .day(11), total: 9_990,
      bought(lifetime), refunded(lifetime, share: nil)),
    History(
      "b06", "a refund without a price is counted apart", .deny, at: .day(11), total: 0,
      bought(priced(nil)), refunded(priced(nil), share: 50_000)),
    History(
      "b07", "Advanced Commerce names its amounts", .deny, at: .day(11), total: 2_000,
      bought(lifetime),
      refunded(lifetime.with { $0.advancedCommerceRefund = 2_000 }, share: 50_000)),
    History(
      "b08", "a second refund replaces the first", .deny, at: .day(15), debits: 1, total: 999,
      bought(lifetime), refunded(lifetime, share: 50_000),
      told(
        "REFUND", lifetime.refunded(.day(14), share: 10_000, type: "REFUND_PRORATED"), .day(14))),
    History(
      "b09", "a date with a reason nobody has heard of denies without money", .deny,
      at: .day(11), debits: 0,
      bought(lifetime), device(lifetime.refunded(.day(10), reason: 7), .day(10))),
    History(
      "b10", "the same in a REFUND is a refund", .deny, at: .day(11), debits: 1,
      bought(lifetime), told("REFUND", lifetime.refunded(.day(10), reason: 7), .day(10))),
    History(
      "b11", "a REVOKE is never money", .deny, at: .day(11), debits: 0,
      bought(lifetime.shared),
      told("REVOKE", lifetime.shared.withdrawn(.day(10)), .day(10))),
    History(
      "b12", "a reversal before the refund reverses nothing", .deny, at: .day(11), debits: 1,
      bought(lifetime), told("REFUND_REVERSED", lifetime, .day(9)),
      told("REFUND", lifetime.refunded(.day(10)), .day(10))),
    History(
      "b13", "a declined request changes nothing", .grant, at: .day(11), debits: 0,
      bought(lifetime), told("CONSUMPTION_REQUEST", lifetime, .day(9)),
      told("REFUND_DECLINED", lifetime, .day(10))),
    History(
      "b14", "refund again; the reversal re-signed after it, before any reading", .grant,
      at: .day(16), debits: 0,
      bought(lifetime), told("REFUND", lifetime.refunded(.day(10)), .day(10)),
      told("REFUND", lifetime.refunded(.day(14)), .day(14)),
      told("REFUND_REVERSED", lifetime, .day(15))),
  ]
}
