import AppStoreModel
import EntitlementLedger
import Testing

struct AttributionTests {
  private static func customer(_ text: String) -> CustomerID? { CustomerID(text) }

  private let signed = OwnershipClaim(
    appAccountToken: "tok", appTransactionId: "7", previousOriginalTransactionId: nil)
  private let unnamed = OwnershipClaim(
    appAccountToken: nil, appTransactionId: "7", previousOriginalTransactionId: "0")
  private let nothing = OwnershipClaim(
    appAccountToken: nil, appTransactionId: nil, previousOriginalTransactionId: nil)

  private func records(
    _ change: (inout Attribution.Records) -> Void
  ) -> Attribution.Records {
    var records = Attribution.Records()
    change(&records)
    return records
  }

  @Test func `each basis gives way to the one before it`() {
    let all = records {
      $0.transferredTo = Self.customer("admin's")
      $0.tokenOwner = Self.customer("registered")
      $0.linkedTo = Self.customer("linked")
      $0.predecessorOwner = Self.customer("before")
      $0.boundTo = Self.customer("bound")
    }
    var known = all
    var found: [String?] = []
    for forget in [
      { $0.transferredTo = nil }, { $0.tokenOwner = nil }, { $0.linkedTo = nil },
      { $0.predecessorOwner = nil }, { $0.boundTo = nil }, { _ in },
    ] as [(inout Attribution.Records) -> Void] {
      let claim = known.tokenOwner == nil ? unnamed : signed
      found.append(Attribution(claim, known).basis?.rawValue)
      forget(&known)
    }
    #expect(found == Attribution.Basis.allCases.map(\.rawValue))
    #expect(Attribution(unnamed, known).customer?.text == "atx:7")
    #expect(Attribution(unnamed, known).customer?.isAnonymous == true)
    #expect(Attribution(nothing, known).customer == nil)
    #expect(Attribution(nothing, known).basis == nil)
  }

  @Test func `a token that nobody registered names its customer itself`() {
    let found = Attribution(signed, Attribution.Records())
    #expect(found.customer?.description == "tok")
    #expect(found.basis == .token)
    #expect(
      Attribution(unnamed, records { $0.tokenOwner = Self.customer("x") }).basis == .anonymous)
  }

  @Test func `a purchase without a token falls to the owner of the others`() throws {
    let first = Sample.month { $0.appAccountToken = "AA" }
    let renewed = Sample.month("2", from: .day(30)) { $0.appTransactionId = "7" }
    let claim = chain(try seen(first), try seen(renewed)).ownershipClaim
    #expect(claim.appAccountToken == "aa")
    #expect(claim.appTransactionId == "7")
    let changed = try seen(Sample.month("3", from: .day(60)) { $0.appAccountToken = "BB" })
    #expect(chain(try seen(first), changed).ownershipClaim.appAccountToken == "bb")
    let migrated = try seen(Sample.month { $0.previousOriginalTransactionId = "0" })
    #expect(chain(migrated).ownershipClaim.previousOriginalTransactionId == "0")
    let renewal = try seen(Sample.renewal { $0.appTransactionId = "8" })
    #expect(chain(renewal).ownershipClaim.appTransactionId == "8")
  }

  @Test func `a link is refused where somebody else's right is known`() throws {
    let me = try #require(CustomerID("me"))
    let other = CustomerID("other")
    func refusal(
      _ claim: OwnershipClaim, _ change: (inout Attribution.Records) -> Void
    ) -> LinkRefusal? {
      do throws(LinkRefusal) {
        try Attribution.checkLink(to: me, claim, records(change))
        return nil
      } catch { return error }
    }
    #expect(refusal(unnamed) { _ in } == nil)
    #expect(refusal(unnamed) { $0.boundTo = me } == nil)
    #expect(refusal(signed) { $0.tokenOwner = me } == nil)
    #expect(refusal(unnamed) { $0.boundTo = other } == .boundElsewhere)
    #expect(refusal(nothing) { $0.boundTo = other } == nil)
    #expect(refusal(unnamed) { $0.linkedTo = other } == .linkedElsewhere)
    #expect(refusal(signed) { $0.linkedTo = other } == .tokenNamesAnother)
    #expect(refusal(signed) { $0.transferredTo = other } == .transferredElsewhere)
  }

  @Test func `a refusal says what it is and what to do, and names nobody`() {
    let all: [LinkRefusal] = [
      .transferredElsewhere, .tokenNamesAnother, .linkedElsewhere, .boundElsewhere,
    ]
    #expect(Set(all.map(\.description)).count == 4)
    #expect(all.allSatisfy { !$0.isTransient && !$0.advice.isEmpty })
  }

  @Test func `a customer has a name, and customers have an order`() throws {
    #expect(CustomerID("") == nil)
    let names = try ["b", "a"].map { try #require(CustomerID($0)) }
    #expect(names.sorted().map(\.text) == ["a", "b"])
  }

  // As a name, as it is kept.
  @Test(
    arguments: [
      ("0C9F2A51-1B7E-4C0D-9A8E-5D1F00AB34AA", "0c9f2a51-1b7e-4c0d-9a8e-5d1f00ab34aa"),
      ("0c9F2a51-1b7e-4C0D-9a8e-5d1f00ab34aa", "0c9f2a51-1b7e-4c0d-9a8e-5d1f00ab34aa"),
      ("Anna", "Anna"), ("0C9F2A51-1B7E-4C0D-9A8E-5D1F00AB34AG", nil),
      ("0C9F2A51x1B7E-4C0D-9A8E-5D1F00AB34AA", nil), ("0C9F2A51-1B7E-4C0D-9A8E-5D1F00AB34A", nil),
    ] as [(String, String?)])
  func `both spellings of a UUID name one customer, other names keep their case`(
    name: String, kept: String?
  ) {
    #expect(CustomerID(name)?.text == kept ?? name)
    let claim = OwnershipClaim(
      appAccountToken: kept, appTransactionId: nil, previousOriginalTransactionId: nil)
    if let kept, kept != name {
      #expect(Attribution(claim, Attribution.Records()).customer == CustomerID(name))
    }
  }

  // The tokens of a first purchase and of its renewals, in time; whose they all are.
  @Test(
    arguments: [
      (["anna", nil], "anna"), (["anna", ""], "anna"),
      (["anna", "00000000-0000-0000-0000-000000000000"], "anna"),
      (["anna", nil, nil, ""], "anna"), ([nil, "anna"], "anna"), (["anna", "ben", nil], "ben"),
      ([nil, nil], "atx:7"), ([""], "atx:7"),
      (["00000000-0000-0000-0000-000000000000"], "atx:7"),
    ] as [([String?], String)])
  func `a purchase whose token is missing or blank stays with the owner of the chain`(
    tokens: [String?], owner: String
  ) throws {
    let facts = try tokens.enumerated().map { index, token in
      try notified(
        index == 0 ? .subscribed : .didRenew, .day(Int64(30 * index)),
        Sample.month("\(index + 1)", from: .day(Int64(30 * index))) {
          $0.appAccountToken = token
          $0.appTransactionId = "7"
        })
    }
    for order in [facts, facts.reversed()] {
      let claim = chain(order).ownershipClaim
      #expect(Attribution(claim, Attribution.Records()).customer?.text == owner)
    }
  }
}
