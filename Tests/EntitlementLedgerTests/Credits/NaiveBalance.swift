import AppStoreModel
import EntitlementLedger

/// A balance written down credit by credit: slow, plain, and made without looking at the real one.
struct NaiveBalance {
  enum Place: Hashable {
    case free, taken, spent
    case held(Int)
    case paid(String)
  }

  /// One credit of one lot.
  struct Coin {
    let lot: Int64
    let bought: Int64
    var place = Place.free
  }

  struct Debt {
    let name: String
    let treatment: PolicyEntry.SpentCredits
    let size: Int
    var isForgiven = false
  }

  var coins: [Coin] = []
  var debts: [Debt] = []
  /// What refunds took or lack, by lot: the name of its debt.
  var refunds: [Int64: String] = [:]

  mutating func buy(_ lot: Int64, bought: Int64, count: Int) {
    coins += (0..<count).map { _ in Coin(lot: lot, bought: bought) }
    coins.sort { ($0.bought, $0.lot) < ($1.bought, $1.lot) }
    pay()
  }

  mutating func hold(_ count: Int, as hold: Int) -> Bool {
    let free = coins.indices.filter { coins[$0].place == .free }
    if isFrozen || free.count < count { return false }
    for place in free.prefix(count) { coins[place].place = .held(hold) }
    return true
  }

  mutating func release(_ hold: Int, paying: Bool = true) {
    for place in coins.indices where coins[place].place == .held(hold) {
      coins[place].place = .free
    }
    if paying { pay() }
  }

  mutating func spend(
    _ count: Int, from hold: Int?, as name: String, _ treatment: PolicyEntry.SpentCredits
  ) {
    var missing = count
    for place in coins.indices {
      guard let hold, coins[place].place == .held(hold) else { continue }
      coins[place].place = missing > 0 ? .spent : .free
      missing = max(0, missing - 1)
    }
    for place in coins.indices where coins[place].place == .free && missing > 0 {
      coins[place].place = .spent
      missing -= 1
    }
    if missing > 0 { debts.append(Debt(name: name, treatment: treatment, size: missing)) }
    pay()
  }

  mutating func refund(
    _ lot: Int64, percentMilliunits: Int, as name: String, _ treatment: PolicyEntry.SpentCredits
  ) {
    let own = coins.indices.filter { coins[$0].lot == lot }
    for place in own {
      if case .paid = coins[place].place { coins[place].place = .free }
    }
    var rest = own.count * percentMilliunits / 100_000
    for place in own where coins[place].place == .free && rest > 0 {
      coins[place].place = .taken
      rest -= 1
    }
    refunds[lot] = name
    if rest > 0 { debts.append(Debt(name: name, treatment: treatment, size: rest)) }
    pay()
  }

  mutating func reverse(_ lot: Int64) {
    guard let name = refunds.removeValue(forKey: lot) else { return }
    for place in coins.indices {
      let isOwn = coins[place].lot == lot && coins[place].place == .taken
      if isOwn || coins[place].place == .paid(name) { coins[place].place = .free }
    }
    debts.removeAll { $0.name == name }
    pay()
  }

  mutating func forgive(_ name: String) {
    for place in debts.indices where debts[place].name == name { debts[place].isForgiven = true }
  }

  private mutating func pay() {
    for debt in debts {
      var open = self.open(debt)
      for place in coins.indices where coins[place].place == .free && open > 0 {
        coins[place].place = .paid(debt.name)
        open -= 1
      }
    }
  }

  private func open(_ debt: Debt) -> Int {
    guard debt.treatment == .debt, !debt.isForgiven else { return 0 }
    return debt.size - coins.filter { $0.place == .paid(debt.name) }.count
  }

  var isFrozen: Bool { debts.contains { $0.treatment == .freeze && !$0.isForgiven } }
  var owed: Int { debts.map(open).reduce(0, +) }
  var available: Int { coins.filter { $0.place == .free }.count }

  var balance: Int {
    coins.filter { coin in
      if case .held = coin.place { return true }
      return coin.place == .free
    }.count - owed
  }

  /// Taken, held, spent and paid of each lot.
  var figures: [Int64: [Int]] {
    Dictionary(grouping: coins, by: \.lot).mapValues { own in
      [
        own.filter { $0.place == .taken }.count,
        own.filter { if case .held = $0.place { true } else { false } }.count,
        own.filter { $0.place == .spent }.count,
        own.filter { if case .paid = $0.place { true } else { false } }.count,
      ]
    }
  }
}
