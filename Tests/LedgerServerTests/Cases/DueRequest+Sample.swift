import AppStoreModel
import AppStoreServerAPI
import EntitlementLedger

@testable import LedgerServer
@testable import LedgerStorage

extension DueRequest {
  static let askedAt = Timestamp(millisecondsSince1970: 1_790_000_000_000)

  /// A request about a purchase of 10 USD, with consent.
  static func sample(
    type: ProductType = .consumable, ownership: InAppOwnershipType? = .purchased,
    advanced: Bool = false, consent: Bool? = true, spent: [Cost] = [],
    credits: CreditUse? = nil, price: Int64? = 10_000,
    environment: AppStoreEnvironment = .production,
    progress: ConsumptionRequest.Progress = .waiting, attempt: AnswerAttempt? = nil,
    verdicts: [RefundVerdict] = []
  ) throws -> DueRequest {
    let scope = Scope(realm: .apple, bundleId: "com.example.app", environment: environment)
    let request = ConsumptionRequest(
      notificationUUID: "a",
      question: ConsumptionQuestion(reason: .other, isAdvancedCommerce: advanced),
      askedAt: askedAt, receivedAt: askedAt, progress: progress, attempt: attempt)
    let stored = StoredCase(
      position: 7, originalTransactionId: "1", productId: "coins", customer: CustomerID("anna"),
      openedAt: askedAt,
      refundCase: RefundCase(
        scope: scope, transactionId: "1", requests: [request], verdicts: verdicts))
    return DueRequest(
      stored: stored, request: request,
      transaction: try TransactionCopy(payload(type, ownership, price)),
      consent: consent.map { Consent(isGiven: $0, recordedBy: "backend", recordedAt: askedAt) },
      spent: spent, credits: credits)
  }

  private static func payload(
    _ type: ProductType, _ ownership: InAppOwnershipType?, _ price: Int64?
  ) -> JWSTransactionDecodedPayload {
    var payload = JWSTransactionDecodedPayload()
    payload.transactionId = "1"
    payload.originalTransactionId = "1"
    payload.productId = "coins"
    payload.type = type
    payload.inAppOwnershipType = ownership
    payload.purchaseDate = askedAt
    payload.signedDate = askedAt
    payload.price = price
    payload.currency = "USD"
    payload.appAccountToken = "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
    return payload
  }
}

extension Cost {
  static func dollars(_ milliunits: Int64) -> Cost {
    .milliunits(milliunits, "USD")
  }

  static func milliunits(_ amount: Int64, _ currency: String) -> Cost {
    guard let cost = Cost(Money(milliunits: amount, currency: Currency(code: currency))) else {
      preconditionFailure("A test states costs in range.")
    }
    return cost
  }
}

extension Configuration.ConsumptionPolicy {
  static func sample(
    _ answer: Answer, delivery: DeliveryStatus? = nil
  ) -> Configuration.ConsumptionPolicy {
    var policy = Configuration.ConsumptionPolicy()
    policy.answer = answer
    policy.delivery = delivery
    return policy
  }
}
