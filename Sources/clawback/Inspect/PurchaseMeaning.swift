import AppStoreModel

/// What one transaction is, and what a revocation of it means.
struct PurchaseMeaning {
  let transaction: JWSTransactionDecodedPayload

  init(_ transaction: JWSTransactionDecodedPayload) {
    self.transaction = transaction
  }

  var sentences: [String] {
    [what] + (transaction.revocationDate == nil ? [] : [loss, money].compactMap { $0 })
  }

  /// The product, who holds it, and for how long.
  var what: String {
    let product = transaction.productId ?? "an unnamed product"
    return "Transaction \(transaction.transactionId ?? "without id"): \(kind) \(product)\(quantity)"
      + "\(holder)\(customer)\(period)\(upgrade)."
  }

  /// How access ended; also for a transaction without the date.
  var loss: String {
    let moment = transaction.revocationDate.map { " at " + $0.rfc3339 } ?? ""
    switch transaction.revocationType {
    case .familyRevoke:
      return "Family Sharing of it ended\(moment): this member loses access, and no money moves."
    case .assignmentRevoke:
      return "The seat was withdrawn\(moment): its holder loses access, and no money moves."
    default: break
    }
    if transaction.revocationReason == .upgradedToBundle {
      return
        "The customer moved to a bundle\(moment): access goes on there, and no money is booked."
    }
    if transaction.inAppOwnershipType == .familyShared {
      return "Family Sharing of it ended\(moment): this member loses access, and no money moves."
    }
    return "Access to it ended\(moment), \(reason)."
  }

  /// What goes back to the customer; `nil` where no money can move.
  var money: String? {
    guard transaction.revocationDate != nil,
      transaction.inAppOwnershipType == nil || transaction.inAppOwnershipType == .purchased,
      transaction.revocationType != .familyRevoke, transaction.revocationType != .assignmentRevoke,
      transaction.revocationReason != .upgradedToBundle
    else { return nil }
    let share = transaction.revocationPercentage.flatMap(RevokedShare.init(percentMilliunits:))
    guard let price = transaction.price, let currency = transaction.currency else {
      return "\(Self.percent(share ?? .whole)) of the price goes back; the payload names no price."
    }
    let paid = Money(milliunits: price, currency: Currency(code: currency))
    return "\(Self.percent(share ?? .whole)) of \(paid.text) goes back."
  }

  private var kind: String {
    switch transaction.type {
    case .autoRenewableSubscription: "the auto-renewable subscription"
    case .nonConsumable: "the non-consumable"
    case .consumable: "the consumable"
    case .nonRenewingSubscription: "the non-renewing subscription"
    case .unknown(let type): "a product of the unknown type \u{201C}\(type)\u{201D},"
    case nil: "the product"
    }
  }

  private var holder: String {
    switch transaction.inAppOwnershipType {
    case .familyShared: ", shared by a family member"
    case .assigned: ", a seat that somebody else pays for"
    case .unknown(let type): ", owned in the unknown way \(type)"
    case .purchased, nil: ""
    }
  }

  /// One of something goes without saying.
  private var quantity: String {
    guard let quantity = transaction.quantity, quantity != 1 else { return "" }
    return ", \(quantity) of it"
  }

  /// Whose it is in the app's own words: a UUID that the app gave, or a backend did.
  private var customer: String {
    transaction.appAccountToken.map { ", for the customer with the token \($0.lowercased())" }
      ?? ", without a customer's token"
  }

  private var period: String {
    let bought = transaction.purchaseDate.map { ", bought " + $0.rfc3339 } ?? ""
    let ends = transaction.expiresDate.map { ", paid until " + $0.rfc3339 } ?? ""
    return bought + ends
  }

  private var upgrade: String {
    transaction.isUpgraded == true ? ", replaced by an upgrade" : ""
  }

  private var reason: String {
    switch transaction.revocationReason {
    case .developerIssue: "because of a real or perceived problem with the app"
    case .other: "for another reason than a problem with the app"
    case .unknown(let code): "for a reason with the unknown number \(code)"
    case .upgradedToBundle, nil: "without a stated reason"
    }
  }

  /// `41.25 %`: at most three decimals, none that are zero.
  private static func percent(_ share: RevokedShare) -> String {
    var decimals = String(String(1_000 + share.percentMilliunits % 1_000).dropFirst())
    while decimals.last == "0" { decimals.removeLast() }
    return "\(share.percentMilliunits / 1_000)\(decimals.isEmpty ? "" : "." + decimals) %"
  }
}
