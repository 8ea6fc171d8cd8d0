import AppStoreModel
import ChanceSupport
import EntitlementLedger

/// A seeded life of one balance, lived by the real book and the naive one together.
struct BalanceLife {
  var book = CreditBook()
  var naive = NaiveBalance()
  private var dice: Dice
  private var holds: [Int: [CreditBook.Draw]] = [:]
  private var count = 0

  init(seed: UInt64) { dice = Dice(seed: seed) }

  /// Does one thing that can happen to a balance.
  ///
  /// - Returns: What it was, for a failure's message.
  mutating func step() -> String {
    count += 1
    switch dice.below(10) {
    case 0, 1: return buy()
    case 2, 3: return hold()
    case 4: return endHold()
    case 5, 6: return spend()
    case 7, 8: return refundOrReverse()
    default: return forgive()
    }
  }

  private mutating func buy() -> String {
    let (lot, day, credits) = (Int64(count), Int64(dice.below(6)), dice.below(30))
    book.fill(
      lot,
      with: CreditGrant(
        transactionId: "t", productId: "coins", purchaseDate: Timestamp(millisecondsSince1970: day),
        unit: "coins", credits: Int64(credits)))
    naive.buy(lot, bought: day, count: credits)
    return "buy \(credits) on day \(day) as \(lot)"
  }

  private mutating func hold() -> String {
    let credits = dice.below(25)
    let draws = book.hold(Int64(credits))
    let isHeld = naive.hold(credits, as: count)
    if let draws { holds[count] = draws }
    return "hold \(credits): \(draws != nil)" + (isHeld == (draws != nil) ? "" : ", naive says no")
  }

  private mutating func endHold() -> String {
    guard let (name, draws) = anyHold() else { return "nothing to release" }
    holds[name] = nil
    book.release(draws)
    naive.release(name)
    return "release \(name)"
  }

  private mutating func spend() -> String {
    let credits = dice.below(30)
    let treatment: PolicyEntry.SpentCredits = dice.below(2) == 0 ? .debt : .writeOff
    let held = dice.below(3) == 0 ? nil : anyHold()
    if let held { holds[held.name] = nil }
    let result = book.spend(Int64(credits), held: held?.draws ?? [], as: "s\(count)", treatment)
    naive.spend(credits, from: held?.name, as: "s\(count)", treatment)
    let drawn = result.draws.reduce(result.uncovered) { $0 + $1.credits }
    return "spend \(credits) of \(held?.name ?? 0) \(treatment)"
      + (drawn == credits ? "" : ", drew \(drawn)")
  }

  private mutating func refundOrReverse() -> String {
    guard let lot = book.lots.isEmpty ? nil : book.lots[dice.below(book.lots.count)] else {
      return "nothing to refund"
    }
    if lot.takenBack != nil, dice.below(3) > 0 {
      book.update(lot.id, nil, .writeOff)
      naive.reverse(lot.id)
      return "reverse \(lot.id)"
    }
    if lot.takenBack != nil { return "stays refunded" }
    return refund(lot)
  }

  private mutating func refund(_ lot: CreditLot) -> String {
    let share = dice.below(2) == 0 ? 100_000 : dice.below(100_001)
    let treatment: PolicyEntry.SpentCredits = [.debt, .debt, .freeze, .writeOff][dice.below(4)]
    let names = holds.filter { $0.value.contains { $0.lot == lot.id } }.keys.sorted()
    for name in names {
      book.release(holds.removeValue(forKey: name) ?? [], paysDebts: false)
      naive.release(name, paying: false)
    }
    let key = RevocationKey(
      transactionId: "t", revocationDate: Timestamp(millisecondsSince1970: Int64(count)))
    let taken = RevokedShare(percentMilliunits: Int32(share)).map {
      CreditGrant.TakenBack(key: key, share: $0, isRefund: true)
    }
    book.update(lot.id, taken, treatment)
    naive.refund(lot.id, percentMilliunits: share, as: "r\(lot.id) \(count)", treatment)
    return "refund \(share) of \(lot.id) as \(treatment), ending \(names)"
  }

  private mutating func forgive() -> String {
    guard !book.debts.isEmpty, dice.below(3) == 0 else { return "nothing to forgive" }
    let place = dice.below(book.debts.count)
    book.forgive(book.debts[place].cause)
    naive.forgive(naive.debts[place].name)
    return "forgive number \(place)"
  }

  private mutating func anyHold() -> (name: Int, draws: [CreditBook.Draw])? {
    guard !holds.isEmpty else { return nil }
    let name = holds.keys.sorted()[dice.below(holds.count)]
    return holds[name].map { (name, $0) }
  }

  /// What does not agree, between the two and with what must always hold.
  var findings: [String] {
    let figures = Dictionary(
      uniqueKeysWithValues: book.lots.filter { $0.filled > 0 }.map {
        ($0.id, [Int($0.taken), Int($0.held), Int($0.spent), Int($0.paid)])
      })
    let checks: [(String, Bool)] = [
      ("lots", figures == naive.figures), ("balance", Int(book.balance) == naive.balance),
      ("owed", Int(book.owed) == naive.owed), ("frozen", book.isFrozen == naive.isFrozen),
      ("available", Int(book.available) == naive.available),
      ("lines", book.entries.reduce(0) { $0 + $1.balanceChange } == book.balance),
      ("conserved", book.lots.allSatisfy { $0.available >= 0 }),
      (
        "payments",
        book.lots.reduce(0) { $0 + $1.paid } == book.debts.reduce(0) { $0 + $1.paid }
      ),
      (
        "nothing refunded comes free",
        book.lots.allSatisfy { lot in
          guard let taken = lot.takenBack else { return true }
          return lot.taken == taken.part(of: lot.filled) || lot.taken + lot.spent == lot.filled
        }
      ),
      ("paid at once", book.owed == 0 || book.available == 0),
    ]
    return checks.filter { !$0.1 }.map(\.0)
  }
}

extension Dice {
  fileprivate mutating func below(_ count: Int) -> Int { roll(0...count - 1) }
}
