import AppStoreModel
import AppStoreSimulator
import Foundation
import Testing

/// Scenarios that the store drives on by itself, and those of people who test a receiver.
struct LivingScenarioTests {
  private func titles(_ text: String) throws -> [String] {
    try notifications(text).map(\.title)
  }

  private func notifications(_ text: String) throws -> [UnsignedNotification] {
    try Scenario(json5: Array(text.utf8), name: "own")
      .played(seed: 1, endingAt: ScenarioTests.end).notifications
  }

  @Test func `a scenario may let the store do what it does`() throws {
    let said = try titles(
      """
      {
        grace: '3d',
        steps: [
          { buy: 'pro', by: 'ada' },
          { live: '40d' },
          { payments: 'fail', of: 'ada' },
          { live: '25d' },
          { payments: 'succeed', of: 'ada' },
          { live: '1d' },
        ],
      }
      """)
    #expect(
      said == [
        "SUBSCRIBED/INITIAL_BUY", "DID_RENEW", "DID_FAIL_TO_RENEW/GRACE_PERIOD",
        "GRACE_PERIOD_EXPIRED", "DID_RENEW/BILLING_RECOVERY",
      ])
  }

  /// What people wish for who test a receiver, and no sandbox gives in a minute.
  @Test func `every word about a refund is said within a minute`() throws {
    let notifications = try notifications(
      """
      {
        steps: [
          { buy: 'themes', by: 'ada' },
          { share: 'ada.themes', to: 'ben' },
          { share: 'ada.themes', to: 'cleo' },
          { after: '10s', requestRefund: 'ada.themes' },
          { after: '10s', decline: 'ada.themes' },
          { after: '10s', refund: 'ada.themes' },
          { after: '10s', reverse: 'ada.themes' },
        ],
      }
      """)
    #expect(
      notifications.map(\.title) == [
        "ONE_TIME_CHARGE", "ONE_TIME_CHARGE", "ONE_TIME_CHARGE", "CONSUMPTION_REQUEST",
        "REFUND_DECLINED", "REFUND", "REVOKE", "REVOKE", "REFUND_REVERSED",
      ])
    let dates = notifications.compactMap(\.payload.signedDate)
    #expect(dates.last == dates.first?.adding(.seconds(40)))
  }

  @Test func `what a step says may be written otherwise`() throws {
    let notifications = try notifications(
      """
      {
        steps: [{
          buy: 'pro', by: 'ada',
          with: {
            notification: { notificationType: 'LATER', extra: [1, 2.5, null, true] },
            data: { bundleVersion: null },
            transaction: { price: '1', nested: { a: {} } },
            renewal: { autoRenewStatus: 7 },
          },
        }],
      }
      """)
    let signed = NotificationSigner(JWSSigner(CertificateAuthority(seed: 1)))
      .sign(try #require(notifications.first))
    let outer = try payload(of: signed)
    #expect(outer["notificationType"] == .string("LATER"))
    #expect(
      outer["extra"] == .array([.integer(1), .number("2.5"), .null, .bool(true)]))
    let data = try #require(outer["data"])
    #expect(data["bundleVersion"] == nil)
    #expect(data["bundleId"] == .string("com.example.app"))
    let transaction = try payload(of: try #require(data["signedTransactionInfo"]?.string))
    #expect(transaction["price"] == .string("1"))
    #expect(transaction["nested"] == .object([.init("a", .object([]))]))
    let renewal = try payload(of: try #require(data["signedRenewalInfo"]?.string))
    #expect(renewal["autoRenewStatus"] == .integer(7))
  }

  private func payload(of jws: String) throws -> JSONValue {
    var text = try #require(jws.split(separator: ".").dropFirst().first.map(String.init))
    text = text.replacing("-", with: "+").replacing("_", with: "/")
    text += String(repeating: "=", count: (4 - text.count % 4) % 4)
    return try JSONValue(json: Array(try #require(Data(base64Encoded: text))))
  }
}
