import AppStoreModel
import AppStoreSimulator
import Testing

/// Families and seats.
struct SharingTests {
  static let start = Timestamp(millisecondsSince1970: 1_780_000_000_000)

  var store = SimulatedAppStore(seed: 1)
  let ada: Customer
  let ben: Customer
  let chain: String

  init() throws {
    ada = store.enroll("Ada", family: "home")
    ben = store.enroll("Ben", family: "home")
    chain = try store.buy(SimulatedProduct.pro.id, by: ada, quantity: 2, at: Self.start)
  }

  func day(_ count: Int64) -> Timestamp { Self.start.adding(.days(count)) }

  @Test mutating func `a family shares within itself`() throws {
    let cleo = store.enroll("Cleo", family: "next door")
    #expect(throws: StoreRefusal.anotherFamily("Cleo")) {
      try store.share(chain, with: cleo, at: day(1))
    }
    let share = try store.share(chain, with: ben, at: day(1))
    let copy = try #require(store.copy(of: share, signedAt: day(1)))
    #expect(copy.inAppOwnershipType == .familyShared)
    #expect(copy.price == nil && copy.currency == nil)
    #expect(copy.expiresDate == day(30))
    try store.renew(chain, at: day(29))
    #expect(store.grants(SimulatedProduct.pro.id, to: ben, at: day(59)))
  }

  @Test mutating func `seats are given as long as there are any, and renewed`() throws {
    let cleo = store.enroll("Cleo")
    let dora = store.enroll("Dora")
    let seat = try store.assign(chain, to: ben, at: day(1))
    try store.assign(chain, to: cleo, at: day(1))
    #expect(throws: StoreRefusal.noSeatLeft(chain)) {
      try store.assign(chain, to: dora, at: day(1))
    }
    try store.unassign(seat, at: day(2))
    try store.assign(chain, to: dora, at: day(2))
    #expect(throws: StoreRefusal.notAssigned(chain)) { try store.unassign(chain, at: day(2)) }
    #expect(throws: StoreRefusal.notFamilyShared(seat)) { try store.stopSharing(seat, at: day(2)) }
    let renewal = try store.renew(chain, at: day(29))
    #expect(store.copy(of: renewal, signedAt: day(29))?.quantity == 2)
    let renewed = store.deviceTransactions(of: dora, signedAt: day(31)).last
    #expect(renewed?.inAppOwnershipType == .assigned)
    #expect(renewed?.quantity == 1)
    #expect(!store.grants(SimulatedProduct.pro.id, to: ben, at: day(31)))
  }

  @Test mutating func `what is bought once has no seats`() throws {
    let themes = try store.buy(SimulatedProduct.themes.id, by: ada, at: day(0))
    #expect(throws: StoreRefusal.notSoldBySeat(themes)) {
      try store.assign(themes, to: ben, at: day(0))
    }
    try store.share(themes, with: ben, at: day(0))
    #expect(store.notifications.last?.title == "ONE_TIME_CHARGE")
    #expect(store.grants(SimulatedProduct.themes.id, to: ben, at: day(900)))
  }

  @Test mutating func `a refund of the payer takes shares and seats, its reversal gives them back`()
    throws
  {
    try store.assign(chain, to: ben, at: day(1))
    try store.refund(chain, because: .developerIssue, at: day(2))
    let revoke = try #require(store.notifications.last)
    #expect(revoke.title == "REVOKE")
    #expect(revoke.transaction?.revocationType == .assignmentRevoke)
    #expect(revoke.transaction?.revocationReason == .developerIssue)
    #expect(revoke.transaction?.revocationPercentage == nil)
    try store.reverseRefund(of: chain, at: day(3))
    #expect(store.grants(SimulatedProduct.pro.id, to: ben, at: day(3)))
    #expect(store.truth(at: day(3)).refunded == [:])
  }
}
