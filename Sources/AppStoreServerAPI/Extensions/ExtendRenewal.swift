public import AppStoreModel

/// More days for one subscriber.
///
/// Source: Apple's `ExtendRenewalDateRequest`.
public struct ExtendRenewal: Hashable, Sendable {
  /// Range: `1...90`.
  public let days: Int
  public let reason: ExtendReason
  /// Shape: 1 to 128 bytes, chosen by the caller.
  public let requestIdentifier: String

  /// States an extension.
  ///
  /// - Throws: the ``RequestFault`` that Apple would refuse.
  public init(
    days: Int, reason: ExtendReason, requestIdentifier: String
  ) throws(RequestFault) {
    guard (1...90).contains(days) else { throw .extendByDaysOutOfRange }
    guard (1...128).contains(requestIdentifier.utf8.count) else { throw .badRequestIdentifier }
    self.days = days
    self.reason = reason
    self.requestIdentifier = requestIdentifier
  }
}

/// Why subscribers get more days.
///
/// Source: Apple's `extendReasonCode`.
public enum ExtendReason: Int, CaseIterable, Hashable, Sendable {
  case undeclared
  case customerSatisfaction
  case other
  case serviceIssueOrOutage
}

/// What an extension came to.
///
/// Source: Apple's `ExtendRenewalDateResponse`.
public struct ExtendedRenewal: Hashable, Sendable {
  public var originalTransactionId: String?
  public var webOrderLineItemId: String?
  public var success: Bool
  /// The new end; absent without success.
  public var effectiveDate: Timestamp?

  public init(
    success: Bool, originalTransactionId: String? = nil, webOrderLineItemId: String? = nil,
    effectiveDate: Timestamp? = nil
  ) {
    self.success = success
    self.originalTransactionId = originalTransactionId
    self.webOrderLineItemId = webOrderLineItemId
    self.effectiveDate = effectiveDate
  }
}
