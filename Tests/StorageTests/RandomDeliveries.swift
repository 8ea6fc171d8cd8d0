import AppStoreModel
import AppStoreSimulator
import EntitlementLedger
import LedgerStorage

/// Lives of a few purchases, by every channel.
enum RandomDeliveries {
  static let customers = ["anna", "ben"]

  static func make(_ dice: inout SeededGenerator) throws -> [Delivery] {
    try (0..<40).map { _ in try one(&dice) }
  }

  private static func one(_ dice: inout SeededGenerator) throws -> Delivery {
    let chain = Int.random(in: 0..<4, using: &dice)
    let period = Int64.random(in: 0..<3, using: &dice)
    let signed = Int64.random(in: 0..<50_000, using: &dice)
    let isRevoked = Int.random(in: 0..<3, using: &dice) == 0
    let transaction = Signed.transaction(
      "\(chain)-\(period)", original: "\(chain)", token: customers[chain % 2], signed: signed,
      bought: period * 43_200, revoked: isRevoked ? signed / 2 : nil
    ) { payload in
      if chain == 3, period == 0 { payload.previousOriginalTransactionId = "2" }
    }
    if Bool.random(using: &dice) {
      let channels: [Channel] = [.device, .poll, .import]
      return try Signed.delivery(transaction, channels.randomElement(using: &dice) ?? .poll)
    }
    let kinds: [NotificationType] = [.didRenew, .refund, .revoke, .refundReversed, .expired]
    let statuses: [SubscriptionStatus?] = [nil, .active, .expired, .revoked]
    return try Signed.notification(
      kinds.randomElement(using: &dice) ?? .didRenew,
      "u\(UInt16.random(in: 0...999, using: &dice))",
      transaction, renewal: Signed.renewal("\(chain)", signed: signed),
      status: statuses.randomElement(using: &dice) ?? nil, signed: signed + 1)
  }
}
