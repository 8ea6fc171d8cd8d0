import AppStoreModel
import AppStoreServerAPI
import EntitlementLedger
import LedgerStorage

/// Whether a request is answered, and what is said.
enum ConsumptionDecision: Hashable {
  case send(CaseAnswer)
  case withhold(Withholding)
  /// The answer would break a rule of Apple's.
  case invalid(ConsumptionFault)

  /// Decides by policy, consent and what is recorded of the purchase.
  ///
  /// - Parameters:
  ///   - due: The request with its material.
  ///   - policy: Of the app and product.
  ///   - isConfigured: Whether there is a key to ask Apple with.
  init(_ due: DueRequest, _ policy: Configuration.ConsumptionPolicy, isConfigured: Bool) {
    if let reason = ConsumptionDecision.withholding(due, policy, isConfigured: isConfigured) {
      self = .withhold(reason)
      return
    }
    let use = RecordedUse(due)
    guard let delivery = use.isUsed ? .delivered : policy.delivery else {
      self = .withhold(.deliveryUnknown)
      return
    }
    let figures = Figures(due, policy, delivery, share: use.share)
    if figures.preference == .grantProrated, figures.needsShare {
      self = .withhold(.shareUnknown)
      return
    }
    do throws(ConsumptionFault) {
      self = .send(try figures.answer())
    } catch {
      self = .invalid(error)
    }
  }

  /// What stands against any answer, in order of precedence.
  private static func withholding(
    _ due: DueRequest, _ policy: Configuration.ConsumptionPolicy, isConfigured: Bool
  ) -> Withholding? {
    switch due.transaction?.inAppOwnershipType {
    case .purchased: break
    case .familyShared: return .familyShared
    case .assigned: return .assigned
    case .unknown, nil: return .unknownOwnership
    }
    if policy.answer == .none { return .policy }
    if due.consent?.isGiven != true { return .noConsent }
    return isConfigured ? nil : .notConfigured
  }
}

/// What is recorded of how a purchase was used.
private struct RecordedUse {
  let isUsed: Bool
  /// The part that was used; `nil` where that cannot be told: of subscriptions, and without a lot
  /// also without a price, without spend, or with spend in another currency.
  ///
  /// Unit: milliunits of a percent. Range: `0...100_000`, rounded down.
  let share: Int32?

  /// Credits are counted where the purchase filled a lot; else what serving it has cost, as a part of
  /// its price.
  init(_ due: DueRequest) {
    if let credits = due.credits, credits.filled > 0 {
      isUsed = credits.used > 0
      share = RecordedUse.part(credits.used, of: credits.filled)
      return
    }
    isUsed = !due.spent.isEmpty
    guard let price = due.transaction?.price, price.milliunits > 0, due.spent.count == 1,
      let spent = due.spent.first, spent.currency == price.currency
    else {
      share = nil
      return
    }
    share = RecordedUse.part(spent.microunits, of: Cost(price)?.microunits ?? Cost.greatest)
  }

  private static func part(_ used: Int64, of whole: Int64) -> Int32 {
    let part = whole.dividingFullWidth(min(used, whole).multipliedFullWidth(by: 100_000))
    return Int32(clamping: part.quotient)
  }
}

/// What an answer says.
private struct Figures {
  let subject: ConsumptionSubject
  let delivery: DeliveryStatus
  let sampleContentProvided: Bool
  let share: Int32?
  let preference: RefundPreference
  let accountToken: String?

  init(
    _ due: DueRequest, _ policy: Configuration.ConsumptionPolicy, _ delivery: DeliveryStatus,
    share: Int32?
  ) {
    let type = due.transaction?.type
    subject = ConsumptionSubject(
      productType: type, ownership: due.transaction?.inAppOwnershipType,
      isAdvancedCommerce: due.request.question.isAdvancedCommerce)
    self.delivery = delivery
    sampleContentProvided = policy.sampleContentProvided
    accountToken = due.transaction?.appAccountToken
    // Apple computes a subscription's share itself, and takes none.
    let told: Int32? = delivery == .delivered ? share : 0
    self.share = type == .autoRenewableSubscription ? nil : told
    preference = Figures.preference(policy.answer, self.share)
  }

  /// All of it unused is a full refund, and none of it is none.
  private static func preference(
    _ answer: Configuration.ConsumptionPolicy.Answer, _ share: Int32?
  ) -> RefundPreference {
    switch (answer, share) {
    case (.grant, _), (.prorated, 0): .grantFull
    case (.decline, _), (.prorated, 100_000), (.none, _): .decline
    case (.prorated, _): .grantProrated
    }
  }

  /// Whether Apple needs to be told how much was used, and nothing recorded tells it.
  var needsShare: Bool {
    share == nil && subject.productType != .autoRenewableSubscription
      && !subject.isAdvancedCommerce
  }

  func answer() throws(ConsumptionFault) -> CaseAnswer {
    switch try subject.version() {
    case .v2:
      return .v2(
        try ConsumptionInformation(
          about: subject, customerConsented: true, deliveryStatus: delivery,
          sampleContentProvided: sampleContentProvided, consumptionPercentage: share,
          refundPreference: preference))
    case .v1:
      var information = try ConsumptionInformationV1(
        about: subject, customerConsented: true, deliveryStatus: delivery.v1,
        sampleContentProvided: sampleContentProvided,
        appAccountToken: accountToken.flatMap(AccountToken.registrable))
      information.consumptionStatus = status
      information.refundPreference = preference.v1
      return .v1(information)
    }
  }

  private var status: ConsumptionInformationV1.ConsumptionStatus {
    switch share {
    case nil: .undeclared
    case 0: .notConsumed
    case 100_000: .fullyConsumed
    default: .partiallyConsumed
    }
  }
}

extension DeliveryStatus {
  fileprivate var v1: ConsumptionInformationV1.Delivery {
    switch self {
    case .delivered: .deliveredAndWorking
    case .undeliveredQualityIssue: .qualityIssue
    case .undeliveredWrongItem: .wrongItem
    case .undeliveredServerOutage: .serverOutage
    case .undeliveredOther: .other
    }
  }
}

extension RefundPreference {
  /// Version 1 has no word for a part of the money.
  fileprivate var v1: ConsumptionInformationV1.Preference {
    switch self {
    case .decline: .preferDecline
    case .grantFull: .preferGrant
    case .grantProrated: .noPreference
    }
  }
}
