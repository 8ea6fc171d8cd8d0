import AppStoreModel
import ChanceSupport
import EntitlementLedger

/// A subscription with dozens of periods, some early, overlapping, upgraded, refunded or restored.
struct LongChain {
  private(set) var facts: [Statement] = []
  private(set) var moments: [Timestamp] = []

  init(seed: UInt64, periods: Int) {
    var dice = Dice(seed: seed &* 0x9E6C_63D0_876A_9A47)
    var day: Int64 = 0
    for number in 1...periods {
      let overlap = dice.chance(25) ? Int64(dice.roll(1...6)) : 0
      let begin = day - min(day, overlap)
      let length = Int64([7, 7, 7, 30][dice.roll(0...3)])
      day = begin + length
      var copy = Copy.period("t\(100 + number)", .day(begin), .day(day))
      copy.signed = .day(begin, Int64(dice.chance(50) ? -dice.roll(1...24) : 0), Int64(number % 60))
      if dice.chance(10) { copy.isUpgraded = true }
      facts.append(.transaction(copy, dice.chance(50) ? .notification : .poll))
      if dice.chance(25) { takeBack(copy, &dice) }
    }
    if dice.chance(60) {
      let last = Copy.period("t\(100 + periods)", .day(day - 7), .day(day))
      facts.append(statuses([1, 2, 4, 5][dice.roll(0...3)], last, .day(day - 1, 3)))
    }
    moments = (0..<6).map { _ in .day(Int64(dice.roll(0...Int(day))), Int64(dice.roll(0...23))) }
  }

  private mutating func takeBack(_ copy: Copy, _ dice: inout Dice) {
    let date = copy.purchased.adding(.hours(Int64(dice.roll(-30...150))))
    facts.append(told("REFUND", copy.refunded(date), max(date, copy.signed).adding(.minutes(1))))
    if dice.chance(40) {
      let later = date.adding(.hours(Int64(dice.roll(1...90))))
      facts.append(told("REFUND_REVERSED", copy, max(later, copy.signed).adding(.minutes(2))))
    }
    if dice.chance(30) { facts.append(info(copy, date.adding(.days(3)))) }
  }
}
