import AppStoreModel
import ChanceSupport
import EntitlementLedger

/// Facts thrown together without a life behind them: any copy, any date, any status.
///
/// No customer has such a history, which is the point: two ledgers that agree on these agree on
/// the rule and not only on what is likely. Dates are few, so that they often meet.
struct Scatter {
  private var dice: Dice
  private var serial: Int64 = 0
  private(set) var facts: [Statement] = []
  let periods: [Copy]

  init(seed: UInt64) {
    var dice = Dice(seed: seed &* 0x2545_F491_4F6C_DD1D)
    let plan: [Copy] = [
      .period("p1", .day(0), .day(30)), .period("p2", .day(30), .day(60)),
      .period("up", .day(10), .day(40)), .period("yr", .day(5), .day(370)),
      .period("re", .day(12), .day(42)), .period("rc", .day(31), .day(61)),
    ]
    periods = Array(dice.shuffled(plan).prefix(dice.roll(1...4)))
    self.dice = dice
    for _ in 0..<self.dice.roll(1...9) { add() }
  }

  /// Distinct at each call, next to one of a few moments.
  private mutating func moment() -> Timestamp {
    serial += 1
    let days = [0, 5, 10, 12, 14, 29, 30, 31, 35, 40, 45, 60]
    let day = Int64(days[dice.roll(0...days.count - 1)])
    return Timestamp.day(day, 0, Int64(dice.roll(0...4) * 5)).adding(TimeSpan(milliseconds: serial))
  }

  private mutating func copy(signed: Timestamp) -> Copy {
    var copy = (dice.pick(periods) ?? periods[0]).signed(signed)
    if dice.chance(45) {
      let days: [Int64] = [8, 10, 12, 14, 29, 35]
      let date = Timestamp.day(days[dice.roll(0...days.count - 1)])
      let reason = dice.chance(12) ? 2 : Int32(dice.roll(0...1))
      if date <= signed { copy = copy.refunded(date, reason: reason) }
    }
    if dice.chance(12) { copy.isUpgraded = true }
    return copy
  }

  private mutating func renewal(signed: Timestamp) -> RenewalNote {
    var note = RenewalNote(original: "a", signed: signed, autoRenews: dice.chance(60))
    note.renewalDate = dice.pick(periods.map(\.expires))?.map { $0 }
    if dice.chance(25) { note.renewalDate = .day(90) }
    if dice.chance(15) { note.expirationIntent = 1 }
    if dice.chance(20) { note.isInRetry = true }
    if dice.chance(25) { note.graceUntil = .day(dice.chance(50) ? 46 : 70) }
    return note
  }

  private mutating func add() {
    let date = moment()
    let copy = copy(signed: date)
    switch dice.roll(1...100) {
    case ...50: facts.append(notice(copy, date))
    case ...62: facts.append(.transaction(copy, .device))
    case ...78: facts.append(.transaction(copy, dice.chance(70) ? .poll : .import))
    case ...90: facts.append(report(.api, copy, date))
    case ...96: facts.append(report(.kit, copy, date))
    default: facts.append(.renewal(renewal(signed: date), .device))
    }
  }

  private mutating func notice(_ copy: Copy, _ date: Timestamp) -> Statement {
    let types = ["REFUND", "REFUND", "REFUND_REVERSED", "REVOKE", "DID_RENEW", "EXPIRED"]
    let isOld = dice.chance(15)
    let status: Int32? = dice.chance(10) ? nil : [1, 1, 1, 2, 3, 4, 5, 5, 5][dice.roll(0...8)]
    return .notice(
      Notice(
        type: types[dice.roll(0...types.count - 1)],
        uuid: dice.chance(20) ? "shared\(status == nil)" : "n\(serial)",
        signed: dice.chance(8) ? nil : isOld ? date.adding(.days(3)) : date,
        status: status,
        copy: copy, renewal: dice.chance(80) ? renewal(signed: date) : nil), .notification)
  }

  private mutating func report(
    _ source: Report.Source, _ copy: Copy, _ date: Timestamp
  ) -> Statement {
    .report(
      Report(
        source: source, status: Int32(dice.roll(1...5)), copy: copy, renewal: renewal(signed: date))
    )
  }

  /// Moments around every edge that the facts have.
  static let moments: [Timestamp] = [
    .day(7), .day(13), .day(29, 23), .day(30, 0, 20), .day(36), .day(41), .day(47), .day(60, 0, 30),
    .day(75), .day(100),
  ]
}
