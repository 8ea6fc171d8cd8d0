/// The answer to a consumption request about an Advanced Commerce purchase.
///
/// As made it declares nothing but the consent; what nobody knows stays undeclared.
///
/// Source: Apple's `ConsumptionRequestV1`.
public struct ConsumptionInformationV1: Hashable, Sendable {
  public enum AccountTenure: Int, CaseIterable, Hashable, Sendable {
    case undeclared, upTo3Days, upTo10Days, upTo30Days, upTo90Days, upTo180Days, upTo365Days
    case over365Days
  }

  public enum ConsumptionStatus: Int, CaseIterable, Hashable, Sendable {
    case undeclared, notConsumed, partiallyConsumed, fullyConsumed
  }

  /// Zero says that it was delivered and works: this one cannot stay undeclared.
  public enum Delivery: Int, CaseIterable, Hashable, Sendable {
    case deliveredAndWorking, qualityIssue, wrongItem, serverOutage, inGameCurrencyChange, other
  }

  /// In US dollars.
  public enum LifetimeDollars: Int, CaseIterable, Hashable, Sendable {
    case undeclared, zero, under50, under100, under500, under1000, under2000, from2000
  }

  public enum Platform: Int, CaseIterable, Hashable, Sendable {
    case undeclared, apple, nonApple
  }

  public enum PlayTime: Int, CaseIterable, Hashable, Sendable {
    case undeclared, upTo5Minutes, upTo60Minutes, upTo6Hours, upTo24Hours, upTo4Days, upTo16Days
    case over16Days
  }

  public enum UserStatus: Int, CaseIterable, Hashable, Sendable {
    case undeclared, active, suspended, terminated, limitedAccess
  }

  public enum Preference: Int, CaseIterable, Hashable, Sendable {
    case undeclared, preferGrant, preferDecline, noPreference
  }

  public var accountTenure = AccountTenure.undeclared
  public var consumptionStatus = ConsumptionStatus.undeclared
  public let deliveryStatus: Delivery
  public var lifetimeDollarsPurchased = LifetimeDollars.undeclared
  public var lifetimeDollarsRefunded = LifetimeDollars.undeclared
  public var platform = Platform.undeclared
  public var playTime = PlayTime.undeclared
  public var userStatus = UserStatus.undeclared
  public var refundPreference = Preference.undeclared
  public let sampleContentProvided: Bool
  /// Shape: a UUID; sent as empty text when there is none, because Apple refuses `null`.
  public let appAccountToken: String?

  /// States an answer.
  ///
  /// - Throws: the first ``ConsumptionFault`` in its order of precedence.
  public init(
    about subject: ConsumptionSubject, customerConsented: Bool, deliveryStatus: Delivery,
    sampleContentProvided: Bool, appAccountToken: String? = nil
  ) throws(ConsumptionFault) {
    guard customerConsented else { throw .noConsent }
    guard try subject.version() == .v1 else { throw .notAdvancedCommerce }
    if let token = appAccountToken, !UUIDText.isOne(token) { throw .badAccountToken }
    self.deliveryStatus = deliveryStatus
    self.sampleContentProvided = sampleContentProvided
    self.appAccountToken = appAccountToken
  }
}
