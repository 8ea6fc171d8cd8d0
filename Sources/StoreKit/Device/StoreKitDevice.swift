/// What stands behind the stand-in: the device whose store answers.
///
/// Apple's module asks the system; this one asks whatever was bound to ``StandIn/device``. Everything
/// travels as the signed text that the store would hold, so that no member can be made up.
package protocol StoreKitDevice: Sendable {
  /// A finite sequence, read now, in the order in which the store lists it.
  func transactions(_ listing: StoreListing) async -> [SignedText]

  /// Everything announced from now on; it ends only with the device.
  func updates() -> AsyncStream<SignedText>

  /// The newest transaction of a product, taken back or over included.
  func latest(for productID: String) async -> SignedText?

  func statuses(forGroup groupID: String) async throws -> [SignedStatus]

  func statusUpdates() -> AsyncStream<SignedStatus>

  func finish(_ transactionID: UInt64) async

  /// Fetches everything again, asking the customer to sign in.
  func sync() async throws

  func appTransaction(refreshing: Bool) async throws -> SignedText

  func products(for identifiers: [String]) async throws -> [ProductRecord]

  func purchase(_ purchase: PurchaseRecord) async throws -> PurchaseAnswer

  var canMakePayments: Bool { get }

  var deviceVerificationID: UUID? { get }

  func storefront() async -> StorefrontRecord?

  /// The products that the customer begins to buy outside of the app.
  func purchaseIntents() -> AsyncStream<ProductRecord>

  /// What the App Store shows of the app's products, in order.
  func promotions() async throws -> [PromotionRecord]

  func promote(_ promotions: [PromotionRecord]) async throws

  /// The reasons of the sheets that the App Store wants to show.
  func messages() -> AsyncStream<Int>
}

/// Most stories have none of these.
extension StoreKitDevice {
  package func purchaseIntents() -> AsyncStream<ProductRecord> { AsyncStream { $0.finish() } }

  package func promotions() async throws -> [PromotionRecord] { [] }

  package func promote(_ promotions: [PromotionRecord]) async throws {
    throw StoreKitError.unsupported
  }

  package func messages() -> AsyncStream<Int> { AsyncStream { $0.finish() } }
}

/// Where the App Store shows a product of the app.
package struct PromotionRecord: Hashable, Sendable {
  package let productID: String
  /// Absent where App Store Connect decides.
  package let isVisible: Bool?

  package init(productID: String, isVisible: Bool?) {
    self.productID = productID
    self.isVisible = isVisible
  }
}

/// The finite sequences of transactions.
package enum StoreListing: Hashable, Sendable {
  case all
  case currentEntitlements
  case unfinished
  case allOf(productID: String)
  case currentEntitlementsOf(productID: String)
}

/// A signed text as the store holds it, and what its check said.
package struct SignedText: Hashable, Sendable {
  /// Shape: a JWS in compact form.
  package let jws: String
  /// Why the check failed; absent where it passed.
  package let failure: SignedTextFailure?
  /// What `jsonRepresentation` leaves out, though the members of StoreKit's own value have it.
  package let hidden: Set<String>

  package init(jws: String, failure: SignedTextFailure? = nil, hiding hidden: Set<String> = []) {
    self.jws = jws
    self.failure = failure
    self.hidden = hidden
  }
}

/// The ways in which a signed text can fail, as `VerificationResult` names them.
package enum SignedTextFailure: String, Hashable, Sendable, CaseIterable {
  case revokedCertificate, invalidCertificateChain, invalidDeviceVerification
  case invalidEncoding, invalidSignature, missingRequiredProperties
}

/// The state of one subscription, with the signed texts beside it.
package struct SignedStatus: Hashable, Sendable {
  /// Apple's number: 1 subscribed, 2 expired, 3 billing retry, 4 grace period, 5 revoked.
  package let state: Int
  package let transaction: SignedText
  package let renewalInfo: SignedText

  package init(state: Int, transaction: SignedText, renewalInfo: SignedText) {
    self.state = state
    self.transaction = transaction
    self.renewalInfo = renewalInfo
  }
}

/// What the store tells of a product.
package struct ProductRecord: Hashable, Sendable {
  package let id: String
  /// Apple's text, such as `Auto-Renewable Subscription`.
  package let type: String
  package let displayName: String
  package let price: Decimal
  package let displayPrice: String
  package let isFamilyShareable: Bool
  package let subscriptionGroupID: String?

  package init(
    id: String, type: String, displayName: String, price: Decimal, displayPrice: String,
    isFamilyShareable: Bool, subscriptionGroupID: String?
  ) {
    self.id = id
    self.type = type
    self.displayName = displayName
    self.price = price
    self.displayPrice = displayPrice
    self.isFamilyShareable = isFamilyShareable
    self.subscriptionGroupID = subscriptionGroupID
  }
}

/// A purchase that the customer is asked to confirm.
package struct PurchaseRecord: Hashable, Sendable {
  package let productID: String
  package let appAccountToken: UUID?
  package let quantity: Int
}

/// How the customer, or the store, answered.
package enum PurchaseAnswer: Hashable, Sendable {
  case success(SignedText)
  case userCancelled
  case pending
}

/// Where the customer's store is.
package struct StorefrontRecord: Hashable, Sendable {
  package let id: String
  /// Shape: an ISO 3166-1 alpha-3 code.
  package let countryCode: String

  package init(id: String, countryCode: String) {
    self.id = id
    self.countryCode = countryCode
  }
}
