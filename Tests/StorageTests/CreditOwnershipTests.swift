import AppStoreModel
import AppStoreSimulator
import EntitlementLedger
import LedgerStorage
import Testing

/// Lots of credits that go from owner to owner with their purchases.
struct CreditOwnershipTests {
  @Test(arguments: StoreKind.allCases)
  func `a lot that came with a transfer is told once, as it is answered`(kind: StoreKind) throws {
    var life = try CreditLife(kind)
    try life.buy("1", token: nil)
    try life.store.link("1", "alice").expectDone()
    try life.store.transfer("1", "bob").expectDone()
    #expect(
      try life.standing(of: "bob")
        == CreditLife.Standing(answered: 50, told: 50, booked: 50, naive: 50))
  }

  @Test(arguments: StoreKind.allCases)
  func `a lot that came with a registered token is told once, as it is answered`(
    kind: StoreKind
  ) throws {
    var life = try CreditLife(kind)
    let token = CreditLife.tokens[0]
    try life.buy("1", token: token)
    try life.spend(20, by: token)
    try life.store.register(token, to: "dora")
    #expect(
      try life.standing(of: "dora")
        == CreditLife.Standing(answered: 30, told: 30, booked: 30, naive: 30))
  }

  @Test(arguments: StoreKind.allCases)
  func `a lot with less left than its new owner owes pays what it has`(kind: StoreKind) throws {
    var life = try CreditLife(kind)
    let token = CreditLife.tokens[0]
    try life.store.register(token, to: "dora")
    try life.buy("1", token: token)
    try life.spend(50, by: "dora")
    try life.refund("1")
    #expect(try life.standing(of: "dora").answered == -50)
    try life.buy("2", token: nil)
    try life.store.link("2", "carl").expectDone()
    try life.spend(20, by: "carl")
    try life.store.unlink("2", "carl").expectDone()
    try life.show("2", token: token)
    #expect(
      try life.standing(of: "dora")
        == CreditLife.Standing(answered: -20, told: -20, booked: -20, naive: -20))
    #expect(try life.standing(of: "carl").answered == 0)
  }

  @Test(arguments: 0..<24 as Range<UInt64>)
  func `every owner's balance is told, answered and booked as its lots and debts add up`(
    seed: UInt64
  ) throws {
    var dice = SeededGenerator(seed: seed)
    var life = try CreditLife(.memory, [.debt, .writeOff].randomElement(using: &dice) ?? .debt)
    for step in 0..<60 {
      try life.step(&dice)
      for owner in CreditLife.owners {
        let standing = try life.standing(of: owner)
        guard standing.isConsistent else {
          Issue.record("seed \(seed), step \(step), \(owner): \(standing)\n\(life.story)")
          return
        }
      }
    }
  }
}

extension OwnershipOutcome {
  fileprivate func expectDone() {
    #expect(self == .done(changed: true))
  }
}
