import AppStoreModel

/// What a type and subtype of notification mean, in one sentence.
///
/// Source: Apple's `notificationType` and `subtype`.
struct NotificationMeaning {
  let type: NotificationType?
  let subtype: NotificationSubtype?

  init(_ notification: ResponseBodyV2DecodedPayload) {
    type = notification.notificationType
    subtype = notification.subtype
  }

  var sentence: String {
    guard let type else { return "A notification without a type: it is kept and changes nothing." }
    if type.meansMigration { return "The subscription moved to Advanced Commerce and goes on." }
    return beginnings(type) ?? changes(type) ?? endings(type) ?? money(type) ?? others(type)
  }

  private func beginnings(_ type: NotificationType) -> String? {
    switch type {
    case .subscribed:
      subtype == .resubscribe
        ? "The customer subscribed again: access until the period ends."
        : "A first subscription, or a family member's first shared access: access until the period ends."
    case .oneTimeCharge: "A purchase that does not renew: access, or credits, from now on."
    case .didRenew:
      subtype == .billingRecovery
        ? "The payment succeeded after all: the subscription is active again."
        : "The subscription renewed for another period."
    case .offerRedeemed:
      switch subtype {
      case .upgrade: "An offer was redeemed for a higher plan, which begins now."
      case .downgrade: "An offer was redeemed for a lower plan, which begins at the renewal."
      default: "An offer was redeemed on the current plan: access is unchanged."
      }
    default: nil
    }
  }

  private func changes(_ type: NotificationType) -> String? {
    switch type {
    case .didChangeRenewalPref:
      switch subtype {
      case .upgrade: "The customer upgraded: the new plan begins now, and the old one is replaced."
      case .downgrade: "The customer will move to another plan at the renewal; nothing changes now."
      default: "A planned change of plan was withdrawn; nothing changes."
      }
    case .didChangeRenewalStatus:
      switch subtype {
      case .autoRenewDisabled:
        "Renewal was switched off, by the customer or after a refund request: access until the period ends."
      case .autoRenewEnabled: "Renewal was switched on again."
      default: "Renewal was switched on or off: the renewal information says which."
      }
    case .priceIncrease:
      subtype == .accepted
        ? "The customer consented to a higher price, or was informed of it."
        : "The customer was asked about a higher price: access is unchanged."
    case .priceChange: "The price of an Advanced Commerce subscription changes at its renewal."
    case .metadataUpdate: "The description of an Advanced Commerce subscription changed."
    case .renewalExtended: "The renewal date was moved by the developer: access lasts longer."
    case .renewalExtension:
      subtype == .summary
        ? "An extension of many subscriptions is finished: it tells how many succeeded."
        : "One subscription could not be extended: access is unchanged."
    default: nil
    }
  }

  private func endings(_ type: NotificationType) -> String? {
    switch type {
    case .expired: "The subscription expired\(expiryReason): access has ended."
    case .didFailToRenew:
      subtype == .gracePeriod
        ? "The payment failed: access goes on through the grace period."
        : "The payment failed: access has ended while Apple goes on trying for up to 60 days."
    case .gracePeriodExpired: "The grace period is over without a payment: access has ended."
    case .revoke:
      "Access through Family Sharing or a seat was taken from this person; no money moves."
    case .rescindConsent:
      "A parent or guardian withdrew consent for a child to use the app: decide about the account."
    default: nil
    }
  }

  private var expiryReason: String {
    switch subtype {
    case .voluntary: " after the customer cancelled"
    case .billingRetry: " after the payment failed for 60 days"
    case .priceIncrease: " without consent to a higher price"
    case .productNotForSale: " because the product is not for sale any more"
    default: ""
    }
  }

  private func money(_ type: NotificationType) -> String? {
    switch type {
    case .refund: "The App Store refunded a purchase."
    case .refundReversed:
      "A refund was undone: give back access and credits, and the money counts again."
    case .refundDeclined: "A refund was declined: nothing changes."
    case .consumptionRequest:
      "The customer asks for a refund and Apple asks how much was used: nothing changes yet. "
        + "An answer is due within 12 hours, 5 minutes in the sandbox, and only with the customer's consent."
    default: nil
    }
  }

  private func others(_ type: NotificationType) -> String {
    switch type {
    case .test: "A test that the developer asked for: the notification address works."
    case .externalPurchaseToken:
      switch subtype {
      case .created: "A token for purchases outside the App Store was made."
      case .activeTokenReminder: "A token for purchases outside the App Store is still active."
      default: "Purchases made with an external purchase token were not reported to Apple."
      }
    default:
      "A notification of the unknown type \u{201C}\(type.rawValue)\u{201D}: "
        + "it is kept, acknowledged, and changes nothing by itself."
    }
  }
}
