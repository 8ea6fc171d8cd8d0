import AppStoreModel

/// The answer to a consumption request, for everything but Advanced Commerce.
///
/// It can only be made in a form that Apple takes, and only of a customer who consented: without
/// consent there is nothing to send.
///
/// Source: Apple's `ConsumptionRequest`, 1.19.
public struct ConsumptionInformation: Hashable, Sendable {
  public let deliveryStatus: DeliveryStatus
  /// Whether the customer could try before buying.
  public let sampleContentProvided: Bool
  /// How much of the purchase is used up; of two units one is 50,000.
  ///
  /// Unit: milliunits of a percent. Range: `0...100_000`. Absent when nobody knows.
  public let consumptionPercentage: Int32?
  public let refundPreference: RefundPreference?

  /// States an answer.
  ///
  /// - Throws: the first ``ConsumptionFault`` in its order of precedence.
  public init(
    about subject: ConsumptionSubject, customerConsented: Bool, deliveryStatus: DeliveryStatus,
    sampleContentProvided: Bool, consumptionPercentage: Int32? = nil,
    refundPreference: RefundPreference? = nil
  ) throws(ConsumptionFault) {
    guard customerConsented else { throw .noConsent }
    guard try subject.version() == .v2 else { throw .advancedCommerce }
    self.deliveryStatus = deliveryStatus
    self.sampleContentProvided = sampleContentProvided
    self.consumptionPercentage = consumptionPercentage
    self.refundPreference = refundPreference
    try checkPercentage(subject.productType)
  }

  private func checkPercentage(_ type: ProductType?) throws(ConsumptionFault) {
    if let percentage = consumptionPercentage {
      guard (0...100_000).contains(percentage) else { throw .percentageOutOfRange }
      guard type != .autoRenewableSubscription else { throw .percentageOfSubscription }
      guard deliveryStatus == .delivered || percentage == 0 else { throw .percentageOfUndelivered }
    }
    let isPart = consumptionPercentage.map { $0 > 0 && $0 < 100_000 } ?? false
    guard refundPreference != .grantProrated || type == .autoRenewableSubscription || isPart else {
      throw .prorationWithoutPart
    }
  }
}

/// Whether the purchase reached the customer.
///
/// Source: Apple's `deliveryStatus`.
public enum DeliveryStatus: String, CaseIterable, Hashable, Sendable {
  case delivered = "DELIVERED"
  case undeliveredQualityIssue = "UNDELIVERED_QUALITY_ISSUE"
  case undeliveredWrongItem = "UNDELIVERED_WRONG_ITEM"
  case undeliveredServerOutage = "UNDELIVERED_SERVER_OUTAGE"
  case undeliveredOther = "UNDELIVERED_OTHER"
}

/// What the developer would like Apple to decide.
///
/// Source: Apple's `refundPreference`.
public enum RefundPreference: String, CaseIterable, Hashable, Sendable {
  case decline = "DECLINE"
  case grantFull = "GRANT_FULL"
  case grantProrated = "GRANT_PRORATED"
}
