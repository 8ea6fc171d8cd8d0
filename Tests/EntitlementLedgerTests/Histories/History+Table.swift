import AppStoreModel

// The names used below. A month lasts 30 days and starts on day 0; `again` is bought after a
// refund, `upgrade` in the middle of the first month, `year` and `month` share one chain.
private let first = Copy.period("p1", .day(0), .day(30))
private let second = Copy.period("p2", .day(30), .day(60))
private let again = Copy.period("p3", .day(12), .day(42))
private let upgrade = Copy.period("up", .day(10), .day(40))
private let recovered = Copy.period("rc", .day(39), .day(69))
private let lastDayUpgrade = Copy.period("lu", .day(29, 18), .day(59, 18))
private let year = Copy.period("yr", .day(0), .day(365))
private let month = Copy.period("m1", .day(12), .day(42))
private let nextMonth = Copy.period("m2", .day(42), .day(72))
private let lifetime = Copy.once("lt", .lifetime, .day(0))
private let other = Copy.period("o1", .day(10), .day(40), of: "o")
private let bundle = Copy.period("bu", .day(10), .day(40), of: "bu").with {
  $0.previousOriginal = "a"
}

private let early = Timestamp.day(29, 12)
private let subscribed = told("SUBSCRIBED", first, .day(0), st: 1)
private let renewed = told("DID_RENEW", second, .day(30), st: 1)
private let renewedEarly = told("DID_RENEW", second, early, st: 1)
private let refunded = told("REFUND", first.refunded(.day(10)), .day(10), st: 5)
private let reversed = told("REFUND_REVERSED", first, .day(12), st: 1)
private let boughtAgain = told("SUBSCRIBED", again, .day(12), st: 1)
private let upgraded = told("DID_CHANGE_RENEWAL_PREF", upgrade, .day(10), st: 1)
private let upgradeRefunded = told("REFUND", upgrade.refunded(.day(12)), .day(12), st: 5)
private let inGrace = told("DID_FAIL_TO_RENEW", first, .day(30), st: 4, grace: .day(46))

extension History {
  /// Simple lives, refunds and their reversals.
  static let refunds: [History] = [
    History("01", "subscribed", .grant, at: .day(5), subscribed),
    History(
      "02", "early renewal, before it starts, earlier fact lost", .grant, at: .day(29, 20),
      renewedEarly),
    History(
      "03", "early renewal, both facts", .grant, at: .day(29, 20),
      subscribed, renewedEarly),
    History(
      "04", "running period refunded, st 5", .deny, at: .day(11), debits: 1,
      subscribed, refunded),
    History(
      "05", "the same, st still 1", .deny, at: .day(11), debits: 1,
      subscribed,
      told("REFUND", first.refunded(.day(10)), .day(10), st: 1)),
    History(
      "06", "the same, device only", .deny, at: .day(11),
      device(first, .day(0)), device(first.refunded(.day(10)), .day(10))),
    History(
      "07", "old period refunded, st 1", .grant, at: .day(41), debits: 1,
      subscribed, renewed,
      told("REFUND", first.refunded(.day(40)), .day(40), st: 1, until: .day(60))),
    History(
      "08", "the same, the renewal never reached us", .grant, at: .day(41), debits: 1,
      subscribed,
      told("REFUND", first.refunded(.day(40)), .day(40), st: 1, until: .day(60))),
    History(
      "09", "two refunds, st 1 then 5", .deny, at: .day(41), debits: 2,
      subscribed, renewed,
      told("REFUND", first.refunded(.day(40)), .day(40), st: 1, until: .day(60)),
      told("REFUND", second.refunded(.day(40, 0, 1)), .day(40, 0, 1), st: 5)),
    History(
      "10", "refund, reversal", .grant, at: .day(13), debits: 0,
      subscribed, refunded, reversed),
    History(
      "11", "refund, reversal, refund", .deny, at: .day(15), debits: 1,
      subscribed, refunded, reversed,
      told("REFUND", first.refunded(.day(14)), .day(14), st: 5)),
    History(
      "12", "first REFUND not stored, retry re-signed after the reversal", .grant,
      at: .day(14), debits: 0,
      subscribed, reversed,
      told("REFUND", first.refunded(.day(10)), .day(13), st: 1, uuid: "r")),
    History(
      "12a", "12 with st 5 in the re-signed REFUND", .grant, at: .day(14), debits: 0,
      subscribed, reversed,
      told("REFUND", first.refunded(.day(10)), .day(13), st: 5, uuid: "r")),
    History(
      "13", "same UUID twice, the second re-signed", .grant, at: .day(14), debits: 0,
      subscribed, reversed,
      told("REFUND", first.refunded(.day(10)), .day(10), st: 5, uuid: "r"),
      told("REFUND", first.refunded(.day(10)), .day(13), st: 5, uuid: "r")),
    History(
      "14", "clean device copy signed 1 min after the refund", .deny, at: .day(11),
      subscribed, refunded, device(first, .day(10, 0, 1))),
    History(
      "15", "clean API copy signed 1 min after (lag)", .deny, at: .day(11),
      subscribed, refunded, info(first, .day(10, 0, 1))),
    History(
      "16", "purchase notification re-signed after the refund", .deny, at: .day(12),
      refunded,
      told("SUBSCRIBED", first, .day(0), st: 1, uuid: "s"),
      told("SUBSCRIBED", first, .day(11), st: 1, uuid: "s")),
    History(
      "17", "reversal seen only by poll", .grant, at: .day(13), debits: 0,
      subscribed, refunded, info(first, .day(12)), statuses(1, first, .day(12))),
    History(
      "18", "bought again after a refund", .grant, at: .day(13), debits: 1,
      subscribed, boughtAgain,
      told("REFUND", first.refunded(.day(10)), .day(10), st: 2)),
    History(
      "18b", "one-time: bought again after a refund", .grant, at: .day(13), debits: 1,
      told("ONE_TIME_CHARGE", lifetime, .day(0)),
      told("REFUND", lifetime.refunded(.day(10)), .day(10)),
      told("ONE_TIME_CHARGE", lifetime.with { $0.id = "lt2" }, .day(12))),
    History(
      "19", "first reversed after the second was bought and refunded", .grant, at: .day(17),
      debits: 1,
      subscribed, refunded, boughtAgain,
      told("REFUND", again.refunded(.day(14)), .day(14), st: 5),
      told("REFUND_REVERSED", first, .day(16), st: 1)),
  ]

  /// Upgrades, grace, renewals that fail, other chains.
  static let changes: [History] = [
    History(
      "20", "upgrade, old copy never re-read", .grant, at: .day(35),
      subscribed, upgraded),
    History(
      "21", "upgrade refunded, old copy never re-read", .deny, at: .day(13),
      subscribed, upgraded, upgradeRefunded),
    History(
      "22", "the same, device only", .deny, at: .day(13),
      device(first, .day(0)), device(upgrade, .day(10)),
      device(upgrade.refunded(.day(12)), .day(12))),
    History(
      "23", "grace", .grant, at: .day(35),
      subscribed, inGrace),
    History(
      "24", "grace, then that period refunded (device)", .deny, at: .day(35),
      subscribed, inGrace, device(first.refunded(.day(33)), .day(33))),
    History(
      "25", "grace over, nothing sent", .deny, at: .day(47),
      subscribed, inGrace),
    History(
      "26", "billing retry revived", .grant, at: .day(40),
      subscribed,
      told("DID_FAIL_TO_RENEW", first, .day(30), st: 3),
      told("DID_RENEW", recovered, .day(39), st: 1)),
    History(
      "27", "the same, device only", .grant, at: .day(40),
      device(first, .day(0)), device(recovered, .day(39))),
    History(
      "28", "two chains, one expires", .grant, at: .day(35),
      subscribed,
      told("SUBSCRIBED", other, .day(10), st: 1),
      told("EXPIRED", first, .day(30), st: 2)),
    History(
      "29", "refund st 5, resubscribed", .grant, at: .day(13), debits: 1,
      subscribed, refunded, boughtAgain),
    History(
      "30", "the same, device only", .grant, at: .day(13),
      device(first.refunded(.day(10)), .day(10)), device(again, .day(12))),
    History(
      "31", "status 5, copy without the date", .deny, at: .day(11), debits: 0,
      subscribed,
      told("REFUND", first, .day(10), st: 5)),
    History(
      "31b", "the same, not in a REFUND", .deny, at: .day(11),
      subscribed,
      told("DID_CHANGE_RENEWAL_STATUS", first, .day(10), st: 5)),
    History(
      "32", "the same, then a clean device copy", .deny, at: .day(12),
      subscribed,
      told("REFUND", first, .day(10), st: 5),
      device(first, .day(11))),
    History(
      "33", "bundle move, bundle never seen", .grant, at: .day(12), debits: 0,
      subscribed, device(first.moved(.day(10)), .day(10))),
    History(
      "34", "bundle known, then refunded", .deny, at: .day(13), debits: 1,
      subscribed, device(first.moved(.day(10)), .day(10)),
      told("SUBSCRIBED", bundle, .day(10), st: 1),
      told("REFUND", bundle.refunded(.day(12)), .day(12), st: 5)),
    History(
      "35", "family: REVOKE before the grant", .deny, at: .day(6), debits: 0,
      told("REVOKE", first.shared.withdrawn(.day(5)), .day(5), st: 5),
      told("SUBSCRIBED", first.shared, .day(0), st: 1)),
    History(
      "36", "expiry never sent", .deny, at: .day(32),
      subscribed),
    History(
      "37", "polled status 1 without outer date", .grant, at: .day(36),
      subscribed, statuses(1, first, .day(35), until: .day(60))),
    History(
      "38", "st 5, reversal seen only by a transaction poll", .grant, at: .day(13),
      subscribed, refunded, info(first, .day(12))),
    History(
      "39", "no outer signedDate", .grant, at: .day(13),
      told("SUBSCRIBED", first, .day(0), st: 1, outer: false),
      told("REFUND", first.refunded(.day(10)), .day(10), st: 5, outer: false),
      told("REFUND_REVERSED", first, .day(12), st: 1, outer: false)),
    History(
      "40", "equal clocks, revoked and clean (hash tie-break)", .deny, at: .day(11),
      device(first, .day(10)), device(first.refunded(.day(10)), .day(10))),
  ]

  /// Early renewals, retries, lagging readings.
  static let channels: [History] = [
    History(
      "41", "early renewal known, running period refunded, before the renewal begins", .deny,
      at: .day(29, 20),
      subscribed, renewedEarly,
      told("REFUND", first.refunded(.day(29, 18)), .day(29, 18), st: 5, until: .day(60))),
    History(
      "42", "the same, after it begins", .grant, at: .day(31), debits: 1,
      subscribed, renewedEarly,
      told("REFUND", first.refunded(.day(29, 18)), .day(29, 18), st: 5, until: .day(60))),
    History(
      "43", "resubscribed; the first REFUND's retry, never stored before, re-signed with st 5",
      .grant, at: .day(14), debits: 1,
      subscribed, boughtAgain,
      told("REFUND", first.refunded(.day(10)), .day(13), st: 5)),
    History(
      "44", "refund, reversal; polled 5 min later (lag): copy revoked, st 5", .grant,
      at: .day(13),
      subscribed, refunded, reversed, statuses(5, first.refunded(.day(10)), .day(12, 0, 5))),
    History(
      "45", "refund, resubscribed; polled 5 min later (lag): old copy revoked, st 5", .grant,
      at: .day(13),
      subscribed, refunded, boughtAgain, statuses(5, first.refunded(.day(10)), .day(12, 0, 5))),
    History(
      "46", "refund again; REFUND_REVERSED re-signed after it; info shows the second", .deny,
      at: .day(17), debits: 1,
      subscribed, refunded,
      told("REFUND", first.refunded(.day(14)), .day(14), st: 5),
      told("REFUND_REVERSED", first, .day(15), st: 1),
      info(first.refunded(.day(14)), .day(16))),
    History(
      "47", "refund, reversal, refund; the reversal again, re-signed", .deny, at: .day(16),
      debits: 1,
      subscribed, refunded,
      told("REFUND_REVERSED", first, .day(12), st: 1, uuid: "r"),
      told("REFUND", first.refunded(.day(14)), .day(14), st: 5),
      told("REFUND_REVERSED", first, .day(15), st: 1, uuid: "r")),
    History(
      "47b", "the same as a one-time product", .deny, at: .day(16), debits: 1,
      told("ONE_TIME_CHARGE", lifetime, .day(0)),
      told("REFUND", lifetime.refunded(.day(10)), .day(10)),
      told("REFUND_REVERSED", lifetime, .day(12), uuid: "r"),
      told("REFUND", lifetime.refunded(.day(14)), .day(14)),
      told("REFUND_REVERSED", lifetime, .day(15), uuid: "r")),
    History(
      "48", "refund; reversal seen by info only; REFUND retry re-signed, st 5", .grant,
      at: .day(14), debits: 0,
      subscribed,
      told("REFUND", first.refunded(.day(10)), .day(10), st: 5, uuid: "r"),
      info(first, .day(12)),
      told("REFUND", first.refunded(.day(10)), .day(13), st: 5, uuid: "r")),
    History(
      "48b", "the same, the first REFUND known by the device alone", .grant, at: .day(14),
      subscribed, device(first.refunded(.day(10)), .day(10)), info(first, .day(12)),
      told("REFUND", first.refunded(.day(10)), .day(13), st: 5)),
    History(
      "48c", "the same as a one-time product", .grant, at: .day(14), debits: 0,
      told("ONE_TIME_CHARGE", lifetime, .day(0)),
      told("REFUND", lifetime.refunded(.day(10)), .day(10), uuid: "r"),
      info(lifetime, .day(12)),
      told("REFUND", lifetime.refunded(.day(10)), .day(13), uuid: "r")),
    History(
      "49", "status 5, copy without the date; info clean 2 days later", .grant, at: .day(13),
      subscribed,
      told("REFUND", first, .day(10), st: 5),
      info(first, .day(12))),
    History(
      "50", "status 5, copy without the date; kit's status 1 signed 5 min later", .deny,
      at: .day(11),
      subscribed,
      told("REFUND", first, .day(10), st: 5),
      kit(1, first, .day(10, 0, 5))),
    History(
      "51", "bundle move, bundle never seen, st 5", .grant, at: .day(12), debits: 0,
      subscribed,
      told("DID_CHANGE_RENEWAL_PREF", first.moved(.day(10)), .day(10), st: 5)),
    History(
      "52", "early renewal; upgrade before it starts; the renewal read again: upgraded",
      .grant, at: .day(31),
      subscribed, renewedEarly,
      told("DID_CHANGE_RENEWAL_PREF", lastDayUpgrade, .day(29, 18), st: 1),
      info(second.upgraded, .day(29, 20))),
    History(
      "53", "the same, renewal never re-read, upgrade refunded", .deny, at: .day(32),
      subscribed, renewedEarly,
      told("DID_CHANGE_RENEWAL_PREF", lastDayUpgrade, .day(29, 18), st: 1),
      told("REFUND", lastDayUpgrade.refunded(.day(31)), .day(31), st: 5)),
    History(
      "54", "year (upgraded) with st 1, renewalDate before its end, upgrade never seen",
      .grant, at: .day(110),
      told("DID_CHANGE_RENEWAL_STATUS", year.upgraded, .day(100), st: 1, until: .day(130))),
    History(
      "55", "renewal unseen but st 1; then the finished older period refunded, device only",
      .grant, at: .day(36),
      subscribed,
      told("DID_CHANGE_RENEWAL_STATUS", first, .day(31), st: 1, until: .day(60)),
      device(first.refunded(.day(35)), .day(35))),
    History(
      "56", "upgrade refunded; st 1 and the lower tier read 1 day later: not upgraded",
      .grant, at: .day(14),
      subscribed, upgraded, upgradeRefunded, statuses(1, first, .day(13))),
    History(
      "57", "upgrade refunded, st 5; the lower tier read: upgraded", .deny, at: .day(14),
      subscribed, upgraded, upgradeRefunded, info(first.upgraded, .day(13))),
    History(
      "58", "EXPIRED known (st 2), auto-renew still 1, 15 min after expiry", .deny,
      at: .day(30, 0, 15),
      subscribed,
      told("EXPIRED", first, .day(30), st: 2, on: true)),
    History(
      "59", "refund, reversal lost, refund", .deny, at: .day(15), debits: 1,
      subscribed, refunded,
      told("REFUND", first.refunded(.day(14)), .day(14), st: 5)),
  ]

  /// Several periods at odds, family, one-time products.
  static let contradictions: [History] = [
    History(
      "60", "older period refunded, st 5 (newest's REFUND lost); poll 3 min later (lag)",
      .deny, at: .day(41),
      subscribed, renewed,
      told("REFUND", first.refunded(.day(40)), .day(40), st: 5, until: .day(60)),
      statuses(1, second, .day(40, 0, 3))),
    History(
      "61", "grace; the kit's renewal and status 1 signed 3 min later without it (lag)",
      .grant, at: .day(35),
      subscribed, inGrace, kit(1, first, .day(30, 0, 3))),
    History(
      "62", "early renewal refunded before it begins, bought again at once", .grant,
      at: .day(31), debits: 1,
      subscribed, renewedEarly,
      told("REFUND", second.refunded(.day(29, 17)), .day(29, 17), st: 1, until: .day(30)),
      told("SUBSCRIBED", lastDayUpgrade, .day(29, 18), st: 1)),
    History(
      "63", "early renewal refunded before it begins, st 5; running period not known refunded",
      .deny, at: .day(29, 20),
      subscribed, renewedEarly,
      told("REFUND", second.refunded(.day(29, 18)), .day(29, 18), st: 5)),
    History(
      "64", "year refunded, month bought and renewed, year reversed; month over, statuses",
      .grant, at: .day(81), debits: 0,
      told("REFUND", year.refunded(.day(10)), .day(10), st: 5),
      told("SUBSCRIBED", month, .day(12), st: 1),
      told("DID_RENEW", nextMonth, .day(42), st: 1),
      told("REFUND_REVERSED", year, .day(50), st: 1, until: .day(72)),
      statuses(1, year, .day(80))),
    History(
      "65", "year refunded, month bought, year reversed; month over", .grant, at: .day(50),
      debits: 0,
      told("SUBSCRIBED", year, .day(0), st: 1),
      told("REFUND", year.refunded(.day(10)), .day(10), st: 5),
      told("SUBSCRIBED", month, .day(12), st: 1),
      told("REFUND_REVERSED", year, .day(20), st: 1, until: .day(42))),
    History(
      "66", "family: REVOKE, shared again without a word, info clean 2 days later", .grant,
      at: .day(8), debits: 0,
      told("SUBSCRIBED", first.shared, .day(0), st: 1),
      told("REVOKE", first.shared.withdrawn(.day(5)), .day(5), st: 5),
      info(first.shared, .day(7))),
    History(
      "67", "refund st 5; statuses 5 days later: st 1, copy clean", .grant, at: .day(16),
      debits: 0,
      subscribed, refunded, statuses(1, first, .day(15))),
    History(
      "68", "running period refunded with st 1, renewalDate beyond it, renewal unseen", .deny,
      at: .day(20),
      subscribed,
      told("REFUND", first.refunded(.day(10)), .day(10), st: 1, until: .day(60))),
    History(
      "69", "upgrade in the last day; early renewal first seen late, upgraded; grace", .grant,
      at: .day(62),
      subscribed,
      told("DID_CHANGE_RENEWAL_PREF", lastDayUpgrade, .day(29, 18), st: 1),
      info(second.upgraded, .day(61)),
      told("DID_FAIL_TO_RENEW", lastDayUpgrade, .day(59, 18), st: 4, grace: .day(75))),
    History(
      "70", "one-time: refund again, REFUND_REVERSED re-signed after it, info shows the second",
      .deny, at: .day(17), debits: 1,
      told("ONE_TIME_CHARGE", lifetime, .day(0)),
      told("REFUND", lifetime.refunded(.day(10)), .day(10)),
      told("REFUND", lifetime.refunded(.day(14)), .day(14)),
      told("REFUND_REVERSED", lifetime, .day(15)),
      info(lifetime.refunded(.day(14)), .day(16))),
    History(
      "71", "one-time: refund; device shows it 18 min later (lag), info clean at 20 min",
      .grant, at: .day(11), debits: 0,
      told("ONE_TIME_CHARGE", lifetime, .day(0)),
      told("REFUND", lifetime.refunded(.day(10)), .day(10)),
      device(lifetime.refunded(.day(10)), .day(10, 0, 18)),
      info(lifetime, .day(10, 0, 20))),
    History(
      "72", "one-time: REFUND whose copy has no date", .deny, at: .day(11), debits: 0,
      told("ONE_TIME_CHARGE", lifetime, .day(0)),
      told("REFUND", lifetime, .day(10))),
  ]

  static let all = refunds + changes + channels + contradictions + owners + amounts
}
