import AppStoreModel
import AppStoreSimulator
import AppStoreVerification
import Testing

/// Certificates are judged at the payload's own date.
struct DatesTests {
  /// Validity of the leaf: 2026-01-01T00:00:00Z to 2026-06-30T23:59:59Z.
  private static let begin: Int64 = 1_767_225_600_000
  private static let end: Int64 = 1_782_863_999_000

  private static let store = SampleStore(leaf: short(.leaf))

  private static func short(_ plan: CertificatePlan) -> CertificatePlan {
    var plan = plan
    plan.notBefore = Timestamp(millisecondsSince1970: begin)
    plan.notAfter = Timestamp(millisecondsSince1970: end)
    return plan
  }

  typealias Row = (moment: String, date: Int64, rule: VerificationRule?)

  static let rows: [Row] = [
    ("a millisecond early", begin - 1, .datesNotYetValid),
    ("the first moment", begin, nil),
    ("the last second", end, nil),
    ("the last millisecond", end + 999, nil),
    ("a millisecond late", end + 1_000, .datesExpired),
  ]

  @Test(arguments: rows.indices)
  func `validity runs from the first second to the last`(row: Int) throws {
    let row = Self.rows[row]
    let verifier = try Self.store.verifier()
    let payload = SamplePayload.transaction.setting("signedDate", "\(row.date)")
    for _ in 1...2 {  // the second time the chain is known
      let refusal = verifier.refusal(ofTransaction: Self.store.transaction(payload))
      #expect(refusal?.cause == row.rule, "\(row.moment)")
      #expect(refusal?.isOriginProved ?? true)
    }
  }

  @Test(arguments: 0..<3)
  func `leaf, intermediate and root must all be valid`(spoiled: Int) throws {
    var plans = [CertificatePlan.root, .intermediate, .leaf]
    plans[spoiled] = Self.short(plans[spoiled])
    let store = SampleStore(root: plans[0], intermediate: plans[1], leaf: plans[2])
    let late = SamplePayload.transaction.setting("signedDate", "\(Self.end + 1_000)")
    let verifier = try store.verifier()
    #expect(verifier.refusal(ofTransaction: store.transaction()) == nil)
    #expect(
      verifier.refusal(ofTransaction: store.transaction(late))
        == VerificationError(.datesExpired, in: .transaction, isOriginProved: true))
  }

  @Test func `a forged text with a bad date proves no origin`() throws {
    let late = SamplePayload.transaction.setting("signedDate", "\(Self.end + 1_000)")
    #expect(
      try Self.store.verifier().refusal(ofTransaction: Self.store.transaction(late, .flipped))
        == VerificationError(.datesExpired, in: .transaction))
  }

  @Test func `what was signed while the leaf was valid stays good for ever`() throws {
    let verifier = try Self.store.verifier()
    let text = Array(Self.store.wholeNotification().utf8)
    let later = Timestamp(millisecondsSince1970: 4_000_000_000_000)
    let notification = try verifier.verifyNotification(text, now: later)
    #expect(
      notification.outer.judgedAt == Timestamp(millisecondsSince1970: SamplePayload.signedDate))
    #expect(notification.outer.signer.validFrom.millisecondsSince1970 == Self.begin)
    #expect(notification.outer.signer.validUntil.millisecondsSince1970 == Self.end + 999)
  }

  @Test func `an app transaction is judged at its creation`() throws {
    let verifier = try Self.store.verifier()
    let text = Array(Self.store.transaction(.appTransaction).utf8)
    let late = Timestamp(millisecondsSince1970: 4_000_000_000_000)
    let document = try verifier.verifyAppTransaction(text, now: late)
    #expect(document.judgedAt == Timestamp(millisecondsSince1970: SamplePayload.signedDate))
    #expect(document.verified?.judgedAt == document.judgedAt)
  }

  private static let undated = SamplePayload.notification.setting("signedDate", nil)
  private static let lateNow = Timestamp(millisecondsSince1970: end + 86_400_000)

  @Test func `a notification without a date is judged at its transaction's`() throws {
    let text = Self.store.notification(Self.undated, transaction: Self.store.transaction())
    let verifier = try Self.store.verifier()
    let notification = try verifier.verifyNotification(Array(text.utf8), now: Self.lateNow)
    #expect(
      notification.outer.judgedAt == Timestamp(millisecondsSince1970: SamplePayload.signedDate))
  }

  @Test func `with no date anywhere it is now`() throws {
    let text = Array(Self.store.notification(Self.undated).utf8)
    let verifier = try Self.store.verifier()
    #expect(throws: VerificationError(.datesExpired, in: .notification, isOriginProved: true)) {
      try verifier.verifyNotification(text, now: Self.lateNow)
    }
    let early = Timestamp(millisecondsSince1970: Self.begin)
    #expect(try verifier.verifyNotification(text, now: early).outer.judgedAt == early)
  }

  @Test(arguments: ["nonsense", "a.b.c", "e30.bm90IGpzb24.AA", "e30.e30.AA"])
  func `an inner text without a readable date leaves now`(inner: String) throws {
    let text = Array(Self.store.notification(Self.undated, transaction: inner).utf8)
    let verifier = try Self.store.verifier()
    #expect(throws: VerificationError(.datesExpired, in: .notification, isOriginProved: true)) {
      try verifier.verifyNotification(text, now: Self.lateNow)
    }
  }

  @Test func `a date from inside is not believed before the signature has been checked`() throws {
    let dated = Self.store.transaction(.transaction.setting("signedDate", "\(Self.end + 1_000)"))
    let text = Self.store.notification(Self.undated, transaction: dated, .flipped)
    #expect(
      try Self.store.verifier().refusal(ofNotification: text)
        == VerificationError(.signature, in: .notification))
  }

  @Test func `years beyond 2049 and before are read alike`() throws {
    var plan = CertificatePlan.leaf
    plan.notAfter = Timestamp(millisecondsSince1970: 2_556_144_000_000)  // 2051-01-01
    let store = SampleStore(
      root: Self.long(.root), intermediate: Self.long(.intermediate), leaf: plan)
    let verifier = try store.verifier()
    let in2050 = SamplePayload.transaction.setting("signedDate", "2540000000000")
    let in2052 = SamplePayload.transaction.setting("signedDate", "2600000000000")
    #expect(verifier.refusal(ofTransaction: store.transaction(in2050)) == nil)
    #expect(verifier.refusal(ofTransaction: store.transaction(in2052))?.cause == .datesExpired)
  }

  private static func long(_ plan: CertificatePlan) -> CertificatePlan {
    var plan = plan
    plan.notBefore = Timestamp(millisecondsSince1970: -315_619_200_000)  // 1960-01-01
    plan.notAfter = Timestamp(millisecondsSince1970: 3_000_000_000_000)
    return plan
  }
}
