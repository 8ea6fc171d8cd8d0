import AppStoreModel
import AppStoreSimulator

/// Writes what a store said as one line a notification, with short names for the ids.
///
/// Shape: type, subtype; `product transaction<original`; status; renewal on or off; what is special.
struct Storyline {
  private var names: [String: String] = [:]

  static func lines(of store: SimulatedAppStore) -> [String] {
    var storyline = Storyline()
    return store.notifications.map { storyline.line($0) }
  }

  private mutating func line(_ notification: UnsignedNotification) -> String {
    var parts = [notification.title]
    if let transaction = notification.transaction { parts += describe(transaction) }
    if let status = notification.payload.data?.status { parts.append("st\(status.rawValue)") }
    if let renewal = notification.renewal { parts += describe(renewal) }
    if let reason = notification.payload.data?.consumptionRequestReason {
      parts.append(reason.rawValue)
    }
    parts += describe(notification.payload)
    if let forgery = notification.forgery { parts.append("!\(forgery)") }
    return parts.joined(separator: " ")
  }

  private func describe(_ payload: ResponseBodyV2DecodedPayload) -> [String] {
    var parts: [String] = []
    if let summary = payload.summary {
      parts.append("\(summary.succeededCount ?? -1)+\(summary.failedCount ?? -1)")
    }
    if let token = payload.externalPurchaseToken {
      let isSandbox = token.externalPurchaseId?.hasPrefix("SANDBOX") == true
      parts.append(isSandbox ? "sandbox" : "production")
      if let type = token.tokenType { parts.append(type.rawValue) }
    }
    return parts
  }

  private mutating func describe(_ payload: JWSTransactionDecodedPayload) -> [String] {
    let own = name(payload.transactionId)
    let original = name(payload.originalTransactionId)
    let product = payload.productId?.split(separator: ".").last.map(String.init) ?? "-"
    var parts = [product, own == original ? own : "\(own)<\(original)"]
    if let previous = payload.previousOriginalTransactionId {
      parts.append("after \(name(previous))")
    }
    if payload.transactionReason == .renewal { parts.append("renewal") }
    if payload.inAppOwnershipType == .familyShared { parts.append("shared") }
    if payload.inAppOwnershipType == .assigned { parts.append("assigned") }
    if let quantity = payload.quantity, quantity != 1 { parts.append("x\(quantity)") }
    if let offer = payload.offerType { parts.append("offer\(offer.rawValue)") }
    if let price = payload.price, ![4_990, 9_990].contains(price) { parts.append("for \(price)") }
    if let info = payload.commitmentInfo {
      parts.append("\(info.billingPeriodNumber ?? 0)/\(info.totalBillingPeriods ?? 0)")
    }
    if payload.revocationDate != nil {
      let share = payload.revocationPercentage.map { " \($0)" } ?? ""
      let type = payload.revocationType?.rawValue ?? "revoked"
      parts.append("\(type)\(share) because \(payload.revocationReason?.rawValue ?? -1)")
    }
    let refunds = (payload.advancedCommerceInfo?.items ?? []).flatMap { $0.refunds ?? [] }
    return parts + refunds.map { "\($0.refundType?.rawValue ?? "-") \($0.refundAmount ?? 0)" }
  }

  private func describe(_ renewal: JWSRenewalInfoDecodedPayload) -> [String] {
    var parts = ["rn\(renewal.autoRenewStatus?.rawValue ?? -1)"]
    if renewal.autoRenewProductId != renewal.productId {
      parts.append("next \(renewal.autoRenewProductId?.split(separator: ".").last ?? "-")")
    }
    if let offer = renewal.offerType { parts.append("next offer\(offer.rawValue)") }
    if let rise = renewal.priceIncreaseStatus {
      parts.append("rise\(rise.rawValue) \(renewal.renewalPrice ?? 0)")
    }
    if renewal.commitmentInfo?.commitmentAutoRenewStatus == .off { parts.append("last run") }
    if renewal.isInBillingRetryPeriod == true { parts.append("retry") }
    if renewal.gracePeriodExpiresDate != nil { parts.append("grace") }
    if let intent = renewal.expirationIntent { parts.append("intent\(intent.rawValue)") }
    return parts
  }

  private mutating func name(_ id: String?) -> String {
    guard let id else { return "-" }
    if let known = names[id] { return known }
    let name = "t\(names.count + 1)"
    names[id] = name
    return name
  }
}
