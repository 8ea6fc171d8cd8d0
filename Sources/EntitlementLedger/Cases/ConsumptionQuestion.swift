public import AppStoreModel

/// What Apple asks while it decides on a customer's wish to have money back.
///
/// Source: the notification type CONSUMPTION_REQUEST.
public struct ConsumptionQuestion: Hashable, Sendable {
  /// Why the customer asks.
  public let reason: ConsumptionRequestReason?
  /// Whether the transaction carries `advancedCommerceInfo`, which decides how it is answered.
  public let isAdvancedCommerce: Bool

  public init(reason: ConsumptionRequestReason?, isAdvancedCommerce: Bool) {
    self.reason = reason
    self.isAdvancedCommerce = isAdvancedCommerce
  }

  init(_ data: NotificationData?, _ transaction: JWSTransactionDecodedPayload?) {
    reason = data?.consumptionRequestReason
    isAdvancedCommerce = transaction?.advancedCommerceInfo != nil
  }
}
