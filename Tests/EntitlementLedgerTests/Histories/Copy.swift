import AppStoreModel

/// What a test says about one transaction as Apple would sign it.
struct Copy: Hashable, Sendable {
  enum Kind: String, Sendable {
    case subscription = "Auto-Renewable Subscription"
    case lifetime = "Non-Consumable"
    case consumable = "Consumable"
    case season = "Non-Renewing Subscription"
    case unheardOf = "Season Ticket"
  }

  enum Owner: String, Sendable {
    case purchased = "PURCHASED"
    case family = "FAMILY_SHARED"
    case assigned = "ASSIGNED"
    case unheardOf = "LENT_BY_A_LIBRARY"
  }

  struct Revoked: Hashable, Sendable {
    var date: Timestamp
    var reason: Int32? = 0
    var type: String?
    var share: Int32?
  }

  var id: String
  var original: String
  var previousOriginal: String?
  var product = "pro"
  var kind = Kind.subscription
  var owner = Owner.purchased
  var purchased: Timestamp
  var expires: Timestamp?
  var signed: Timestamp
  var revoked: Revoked?
  var isUpgraded = false
  var quantity: Int32 = 1
  var price: Int64? = 9_990
  var currency = "USD"
  var advancedCommerceRefund: Int64?
  var token: String?
  var appTransaction: String?
}

extension Copy {
  /// A period of the chain `original`.
  static func period(
    _ id: String, _ purchased: Timestamp, _ expires: Timestamp, of original: String = "a"
  ) -> Copy {
    Copy(id: id, original: original, purchased: purchased, expires: expires, signed: purchased)
  }

  /// A purchase made once, which is a chain of its own.
  static func once(_ id: String, _ kind: Kind, _ purchased: Timestamp) -> Copy {
    Copy(id: id, original: id, kind: kind, purchased: purchased, signed: purchased)
  }

  func refunded(
    _ date: Timestamp, share: Int32? = nil, type: String? = nil, reason: Int32? = 0
  ) -> Copy {
    with { $0.revoked = Revoked(date: date, reason: reason, type: type, share: share) }
  }

  func moved(_ date: Timestamp) -> Copy {
    with { $0.revoked = Revoked(date: date, reason: 2) }
  }

  func withdrawn(_ date: Timestamp) -> Copy {
    with { $0.revoked = Revoked(date: date, reason: 0, type: "FAMILY_REVOKE") }
  }

  var upgraded: Copy { with { $0.isUpgraded = true } }
  var shared: Copy { with { $0.owner = .family } }

  func signed(_ date: Timestamp) -> Copy { with { $0.signed = date } }

  func with(_ change: (inout Copy) -> Void) -> Copy {
    var copy = self
    change(&copy)
    return copy
  }
}

/// What a test says about one renewal as Apple would sign it.
struct RenewalNote: Hashable, Sendable {
  var original: String
  var signed: Timestamp
  var autoRenews = true
  var expirationIntent: Int32?
  var isInRetry: Bool?
  var graceUntil: Timestamp?
  var renewalDate: Timestamp?
}
