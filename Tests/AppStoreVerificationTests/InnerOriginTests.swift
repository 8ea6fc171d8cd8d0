import AppStoreModel
import AppStoreSimulator
import AppStoreVerification
import Testing

/// What stands inside a notification is for the same app and environment, whatever is configured.
struct InnerOriginTests {
  typealias Row = (
    inner: String, transaction: SamplePayload, renewal: SamplePayload, error: VerificationError?
  )

  private static func refused(_ rule: VerificationRule, _ part: SignedDataKind) -> VerificationError
  {
    VerificationError(rule, in: part, isOriginProved: true)
  }

  static let rows: [Row] = [
    ("the same", .transaction, .renewal, nil),
    (
      "a transaction of another app", .transaction.setting("bundleId", "\"x\""), .renewal,
      refused(.bundleID, .transaction)
    ),
    (
      "a transaction of no app", .transaction.setting("bundleId", nil), .renewal,
      refused(.bundleID, .transaction)
    ),
    (
      "a transaction of Production", .transaction.setting("environment", "\"Production\""),
      .renewal,
      refused(.environment, .transaction)
    ),
    (
      "a transaction of Xcode", .transaction.setting("environment", "\"Xcode\""), .renewal,
      refused(.environment, .transaction)
    ),
    (
      "a renewal of Production", .transaction, .renewal.setting("environment", "\"Production\""),
      refused(.environment, .renewalInfo)
    ),
    ("no environment inside", .transaction.setting("environment", nil), .renewal, nil),
    (
      "an environment of tomorrow inside", .transaction.setting("environment", "\"Preview\""),
      .renewal, nil
    ),
    (
      "a renewal of another purchase", .transaction,
      .renewal.setting("originalTransactionId", "\"7\""), refused(.binding, .renewalInfo)
    ),
    (
      "a renewal of no purchase", .transaction, .renewal.setting("originalTransactionId", nil),
      refused(.binding, .renewalInfo)
    ),
  ]

  @Test(arguments: rows.indices)
  func `an inner payload must agree with the outer one`(row: Int) throws {
    let row = Self.rows[row]
    let store = SampleStore.good
    let text = store.notification(
      transaction: store.transaction(row.transaction), renewal: store.transaction(row.renewal))
    #expect(try store.verifier().refusal(ofNotification: text) == row.error, "\(row.inner)")
  }

  @Test func `local testing inside an outer payload without environment is refused`() throws {
    let store = SampleStore.good
    let text = store.notification(
      data: .data.setting("environment", nil),
      transaction: store.transaction(.transaction.setting("environment", "\"LocalTesting\"")))
    #expect(
      try store.verifier().refusal(ofNotification: text)
        == Self.refused(.environment, .transaction))
  }

  @Test func `a renewal without a transaction beside it is accepted`() throws {
    let store = SampleStore.good
    let text = store.notification(renewal: store.transaction(.renewal))
    let notification = try store.verifier(.sample).verifyNotification(
      Array(text.utf8), now: SampleStore.now)
    #expect(notification.transaction == nil)
    #expect(notification.renewalInfo?.payload?.originalTransactionId == "2000000000000001")
  }

  @Test func `a renewal that stands alone can be bound to its transaction`() throws {
    let store = SampleStore.good
    let verifier = try store.verifier(.sample)
    let transaction = try verifier.verifyTransaction(
      Array(store.transaction().utf8), now: SampleStore.now)
    let own = Array(store.transaction(.renewal).utf8)
    let other = Array(
      store.transaction(.renewal.setting("originalTransactionId", "\"7\"")).utf8)
    _ = try verifier.verifyRenewalInfo(own, of: transaction, now: SampleStore.now)
    _ = try verifier.verifyRenewalInfo(other, now: SampleStore.now)
    #expect(throws: VerificationError(.binding, in: .renewalInfo)) {
      try verifier.verifyRenewalInfo(other, of: transaction, now: SampleStore.now)
    }
  }

  typealias AppRow = (inner: String, payload: SamplePayload, error: VerificationError?)

  static let appTransactions: [AppRow] = [
    ("the same", .appTransaction, nil),
    (
      "another App Store id", .appTransaction.setting("appAppleId", "7"),
      refused(.appID, .appTransaction)
    ),
    ("no App Store id", .appTransaction.setting("appAppleId", nil), nil),
    (
      "another bundle id", .appTransaction.setting("bundleId", "\"x\""),
      refused(.bundleID, .appTransaction)
    ),
    (
      "Production", .appTransaction.setting("receiptType", "\"Production\""),
      refused(.environment, .appTransaction)
    ),
  ]

  @Test(arguments: appTransactions.indices)
  func `the app transaction in a withdrawn consent is verified too`(row: Int) throws {
    let row = Self.appTransactions[row]
    let store = SampleStore.good
    let text = store.signer.sign(
      SamplePayload.notification.setting(
        "appData",
        SamplePayload.data.setting(
          "signedAppTransactionInfo", "\"\(store.transaction(row.payload))\""
        ).json
      ).bytes)
    let verifier = try store.verifier(.sample)
    #expect(verifier.refusal(ofNotification: text) == row.error, "\(row.inner)")
    guard row.error == nil else { return }
    let notification = try verifier.verifyNotification(Array(text.utf8), now: SampleStore.now)
    #expect(notification.appTransaction?.payload?.appTransactionId == "700000000000000001")
  }
}
