import AppStoreModel
import EntitlementLedger
import LedgerStorage
import Testing

/// Whom a refund of a shareable product puts on the list: no payload names the family.
struct NearestShareTests {
  private let store: TestStore

  init() throws {
    store = try StoreKind.memory.open()
  }

  private func share(_ id: String, day: Int64, product: String = "pro.monthly") throws {
    let copy = Signed.transaction(id, bought: day * 1_440) {
      $0.inAppOwnershipType = .familyShared
      $0.productId = product
    }
    try store.record(Signed.delivery(copy))
  }

  private func refund(_ id: String) throws {
    try store.record(Signed.delivery(Signed.transaction(id)))
    try store.record(
      Signed.notification(.refund, "u", Signed.transaction(id, signed: 5, revoked: 4), signed: 5))
  }

  /// The purchases that are asked about as members of a family.
  private func asked() throws -> Set<String> {
    let statement = SQLStatement(
      """
      SELECT chains.original_transaction_id FROM chain_questions
      JOIN chains ON chains.id = chain_questions.chain_id WHERE chain_questions.rank = ?
      """)
    return try Set(
      store.reader.read { (recorder) throws(StoreError) in
        try recorder.session.rows(
          statement, [.integer(QuestionRank.familyMember.rawValue)]
        ) { (row) throws(StoreError) in try row.requiredText(0) }
      })
  }

  @Test func `of many shares the fifty are asked about whose periods end nearest, on both sides`()
    throws
  {
    for day in Int64(1)...60 {
      try share("before\(day)", day: -day)
      try share("after\(day)", day: day)
    }
    try share("elsewhere", day: 0, product: "themes")
    try refund("payer")
    let nearest = (1...25).flatMap { ["before\($0)", "after\($0)"] }
    #expect(try asked() == Set(nearest))
  }

  @Test(arguments: [-1, 1] as [Int64])
  func `where all end on one side the fifty nearest of them are asked about`(side: Int64) throws {
    for day in Int64(1)...60 { try share("s\(day)", day: side * day) }
    try refund("payer")
    #expect(try asked() == Set((1...50).map { "s\($0)" }))
  }
}
