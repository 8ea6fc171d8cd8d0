import AppStoreModel
import AppStoreSimulator
import ChanceSupport

/// One plausible customer of a simulated Apple: what they bought, what went back, and what Apple
/// sent about it.
struct Life {
  struct Quirks {
    /// A refunded upgrade gives the lower tier back.
    var revivesLowerTier: Bool
    /// The copy in a REFUND or REVOKE does not show the date yet.
    var omitsDate: Bool
    /// The status in a REFUND or REVOKE is that of a moment before.
    var lagsInStatus: Bool
  }

  enum Errand: Hashable {
    case renew(String)
    case fail(String)
    case recover(String)
    case endGrace(String)
    case giveUp(String)
    case expire(String)
  }

  var dice: Dice
  var apple = SimulatedApple()
  var now = Timestamp.day(0)
  /// Every notification with the state of its own moment.
  var notices: [Notice] = []
  /// The chains that a customer of this life may use, in order of their making.
  var originals: [String] = []
  var agenda: [(at: Timestamp, errand: Errand)] = []
  let owner: Copy.Owner
  let length: TimeSpan
  /// What Apple does not document, drawn anew for each life.
  let quirks: Quirks
  private var serial: Int64 = 0

  init(seed: UInt64) {
    dice = Dice(seed: seed)
    owner = dice.chance(85) ? .purchased : dice.chance(60) ? .family : .assigned
    quirks = Quirks(
      revivesLowerTier: dice.chance(15), omitsDate: dice.chance(6), lagsInStatus: dice.chance(10))
    length = .days([7, 30, 30, 365][dice.roll(0...3)])
    switch dice.roll(1...100) {
    case ...78: liveWithSubscription()
    case ...88: liveWithPurchase(.lifetime)
    case ...94: liveWithPurchase(.consumable)
    default: liveWithPurchase(.season)
    }
    settle()
  }

  /// A moment of signing: no two are the same.
  mutating func stamp(_ date: Timestamp) -> Timestamp {
    serial += 1
    return date.adding(TimeSpan(milliseconds: serial % 1_000))
  }

  mutating func newId(_ prefix: String) -> String {
    serial += 1
    return "\(prefix)\(serial)"
  }

  mutating func send(_ type: String, _ id: String) {
    guard let sale = apple.sales.first(where: { $0.copy.id == id }) else { return }
    let signed = stamp(now)
    let original = sale.copy.original
    let isSubscription = sale.copy.kind == .subscription
    let isTakingBack = type == "REFUND" || type == "REVOKE"
    let before = isTakingBack && quirks.lagsInStatus ? now.subtracting(.seconds(1)) : now
    var copy = apple.copy(sale, asOf: now, signed: signed)
    if isTakingBack && quirks.omitsDate { copy.revoked = nil }
    notices.append(
      Notice(
        type: type, uuid: newId("n"), signed: signed,
        status: isSubscription ? apple.status(original, asOf: before) : nil,
        copy: copy, renewal: apple.renewal(original, asOf: now, signed: signed)))
  }

  func index(_ id: String) -> Int? { apple.sales.firstIndex { $0.copy.id == id } }

  /// Lets time pass until nothing changes for an hour, in which Apple is read for the last time.
  private mutating func settle() {
    now = now.adding(.minutes(1))
    while let next = nextChange, next <= now.adding(.minutes(60)) { advance(to: next) }
  }

  private var nextChange: Timestamp? {
    var dates = agenda.map(\.at)
    for sale in apple.sales {
      dates += [sale.copy.purchased, sale.copy.expires ?? now]
      if sale.copy.kind == .season { dates.append(sale.copy.purchased.adding(SimulatedApple.term)) }
    }
    dates += apple.renewals.values.flatMap { $0.compactMap(\.note.graceUntil) }
    return dates.filter { $0 > now }.min()
  }

  /// Does what Apple does by itself until `date`.
  mutating func advance(to date: Timestamp) {
    while let next = agenda.enumerated().min(by: { $0.element.at < $1.element.at }),
      next.element.at <= date
    {
      agenda.remove(at: next.offset)
      now = max(now, next.element.at)
      run(next.element.errand)
    }
    now = max(now, date)
  }
}
