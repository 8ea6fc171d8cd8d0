/// What an App Store Server Notification tells.
///
/// Source: `notificationType` of Apple's `responseBodyV2DecodedPayload`.
public enum NotificationType: Hashable, Sendable {
  case subscribed
  case didChangeRenewalPref
  case didChangeRenewalStatus
  case offerRedeemed
  case didRenew
  case expired
  case didFailToRenew
  case gracePeriodExpired
  case priceIncrease
  /// Money of the named transaction goes back; not necessarily the newest one.
  case refund
  case refundDeclined
  /// A refund was undone: access and money return.
  case refundReversed
  case consumptionRequest
  case renewalExtended
  case renewalExtension
  /// A family member or seat holder loses access; no money moves.
  case revoke
  case test
  case externalPurchaseToken
  case oneTimeCharge
  case rescindConsent
  case metadataUpdate
  /// Apple's changelog also writes it `MIGRATE`; see ``meansMigration``.
  case migration
  case priceChange
  /// A value that Apple added after this was written, as it was sent.
  case unknown(String)
}

extension NotificationType: RawRepresentable {
  public init(rawValue: String) {
    switch rawValue {
    case "SUBSCRIBED": self = .subscribed
    case "DID_CHANGE_RENEWAL_PREF": self = .didChangeRenewalPref
    case "DID_CHANGE_RENEWAL_STATUS": self = .didChangeRenewalStatus
    case "OFFER_REDEEMED": self = .offerRedeemed
    case "DID_RENEW": self = .didRenew
    case "EXPIRED": self = .expired
    case "DID_FAIL_TO_RENEW": self = .didFailToRenew
    case "GRACE_PERIOD_EXPIRED": self = .gracePeriodExpired
    case "PRICE_INCREASE": self = .priceIncrease
    case "REFUND": self = .refund
    case "REFUND_DECLINED": self = .refundDeclined
    case "REFUND_REVERSED": self = .refundReversed
    case "CONSUMPTION_REQUEST": self = .consumptionRequest
    case "RENEWAL_EXTENDED": self = .renewalExtended
    case "RENEWAL_EXTENSION": self = .renewalExtension
    case "REVOKE": self = .revoke
    case "TEST": self = .test
    case "EXTERNAL_PURCHASE_TOKEN": self = .externalPurchaseToken
    case "ONE_TIME_CHARGE": self = .oneTimeCharge
    case "RESCIND_CONSENT": self = .rescindConsent
    case "METADATA_UPDATE": self = .metadataUpdate
    case "MIGRATION": self = .migration
    case "PRICE_CHANGE": self = .priceChange
    default: self = .unknown(rawValue)
    }
  }

  public var rawValue: String {
    switch self {
    case .subscribed: "SUBSCRIBED"
    case .didChangeRenewalPref: "DID_CHANGE_RENEWAL_PREF"
    case .didChangeRenewalStatus: "DID_CHANGE_RENEWAL_STATUS"
    case .offerRedeemed: "OFFER_REDEEMED"
    case .didRenew: "DID_RENEW"
    case .expired: "EXPIRED"
    case .didFailToRenew: "DID_FAIL_TO_RENEW"
    case .gracePeriodExpired: "GRACE_PERIOD_EXPIRED"
    case .priceIncrease: "PRICE_INCREASE"
    case .refund: "REFUND"
    case .refundDeclined: "REFUND_DECLINED"
    case .refundReversed: "REFUND_REVERSED"
    case .consumptionRequest: "CONSUMPTION_REQUEST"
    case .renewalExtended: "RENEWAL_EXTENDED"
    case .renewalExtension: "RENEWAL_EXTENSION"
    case .revoke: "REVOKE"
    case .test: "TEST"
    case .externalPurchaseToken: "EXTERNAL_PURCHASE_TOKEN"
    case .oneTimeCharge: "ONE_TIME_CHARGE"
    case .rescindConsent: "RESCIND_CONSENT"
    case .metadataUpdate: "METADATA_UPDATE"
    case .migration: "MIGRATION"
    case .priceChange: "PRICE_CHANGE"
    case .unknown(let value): value
    }
  }
}

extension NotificationType {
  /// Whether it is `MIGRATION`, or `MIGRATE` as Apple's changelog spells it.
  public var meansMigration: Bool {
    self == .migration || self == .unknown("MIGRATE")
  }
}
