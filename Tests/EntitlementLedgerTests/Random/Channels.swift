import AppStoreModel
import ChanceSupport
import EntitlementLedger

/// The ways by which a life becomes known to us: each loses, repeats, delays or ages what it tells.
struct Channels {
  var dice: Dice
  var life: Life
  var statements: [Statement] = []

  init(_ life: Life, dice: Dice) {
    self.life = life
    self.dice = dice
    for notice in life.notices { deliver(notice) }
    for _ in 0..<self.dice.roll(0...4) { pollTransaction() }
    for _ in 0..<self.dice.roll(0...2) { report(.api) }
    for _ in 0..<self.dice.roll(0...3) { showOnDevice() }
    if self.dice.chance(40) { report(.kit) }
  }

  private mutating func deliver(_ notice: Notice) {
    let isLost = dice.chance(20)
    if !isLost { statements.append(.notice(notice, .notification)) }
    if dice.chance(10) { statements.append(.notice(notice, .history)) }
    if dice.chance(isLost ? 40 : 12) { resign(notice) }
  }

  private mutating func resign(_ notice: Notice) {
    let delay = [1, 13, 37, 85, 157][dice.roll(0...4)]
    guard let first = notice.signed else { return }
    let date = first.adding(.hours(Int64(delay)))
    if date <= life.now { statements.append(.notice(retry(of: notice, at: date), .notification)) }
  }

  /// A retry that Apple signed anew: around its old content, or around that of this moment.
  private mutating func retry(of notice: Notice, at date: Timestamp) -> Notice {
    var retry = notice
    let signed = life.stamp(date)
    retry.signed = signed
    if dice.chance(60) {
      retry.copy?.signed = signed
      retry.renewal?.signed = signed
      if dice.chance(15) { retry.signed = nil }
    }
    if dice.chance(30), let original = notice.copy?.original, notice.status != nil {
      retry.status = life.apple.status(original, asOf: date)
    }
    return retry
  }

  /// A moment to look at Apple: often soon after something happened.
  private mutating func lookingTime() -> Timestamp {
    if dice.chance(60), let near = dice.pick(life.notices)?.signed {
      return min(life.now, near.adding(dice.span(upTo: .minutes(dice.chance(50) ? 30 : 3_000))))
    }
    let whole = life.now.millisecondsSince1970 - Timestamp.day(0).millisecondsSince1970
    return .day(0).adding(dice.span(upTo: TimeSpan(milliseconds: whole)))
  }

  private mutating func shown(_ lag: TimeSpan) -> Copy? {
    let time = lookingTime()
    let seen = time.subtracting(dice.chance(50) ? .zero : dice.span(upTo: lag))
    let sales = life.apple.sales.filter { $0.made <= seen }
    return dice.pick(sales).map { life.apple.copy($0, asOf: seen, signed: life.stamp(time)) }
  }

  private mutating func pollTransaction() {
    guard let copy = shown(.minutes(14)) else { return }
    statements.append(.transaction(copy, dice.chance(80) ? .poll : .import))
  }

  private mutating func showOnDevice() {
    guard let copy = shown(dice.chance(85) ? .minutes(14) : .hours(30)) else { return }
    statements.append(.transaction(copy, .device))
  }

  private mutating func report(_ source: Report.Source) {
    let time = lookingTime()
    let lag = dice.chance(50) ? TimeSpan.zero : dice.span(upTo: .minutes(14))
    guard let original = dice.pick(life.originals) else { return }
    read(original, source, at: time, asOf: time.subtracting(lag))
  }

  private mutating func read(
    _ original: String, _ source: Report.Source, at time: Timestamp, asOf seen: Timestamp
  ) {
    let signed = life.stamp(time)
    guard let sale = life.apple.latest(original, asOf: seen),
      let renewal = life.apple.renewal(original, asOf: seen, signed: signed)
    else { return }
    statements.append(
      .report(
        Report(
          source: source, status: life.apple.status(original, asOf: seen),
          copy: life.apple.copy(sale, asOf: seen, signed: signed), renewal: renewal)))
  }

  /// Reads every known transaction and all statuses.
  mutating func readApple(at time: Timestamp) {
    let known = Set(statements.compactMap(\.transactionId))
    for sale in life.apple.sales where known.contains(sale.copy.id) {
      let seen = time.subtracting(dice.span(upTo: .minutes(14)))
      let copy = life.apple.copy(sale, asOf: seen, signed: life.stamp(time))
      statements.append(.transaction(copy, .poll))
    }
    guard !known.isEmpty else { return }
    for original in life.originals { read(original, .api, at: time, asOf: time) }
  }

  /// Retries that Apple signs anew within five minutes, whatever was read or told before.
  mutating func sendAgain(after time: Timestamp) {
    for notice in life.notices where dice.chance(15) {
      let later = time.adding(dice.span(upTo: .minutes(5)))
      statements.append(.notice(retry(of: notice, at: later), .notification))
    }
  }
}

extension Statement {
  var copy: Copy? {
    switch self {
    case .notice(let notice, _): notice.copy
    case .transaction(let copy, _): copy
    case .renewal: nil
    case .report(let report): report.copy
    }
  }

  var transactionId: String? { copy?.id }
}
