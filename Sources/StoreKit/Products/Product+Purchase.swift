public import Foundation

extension Product {
  public static func products<Identifiers>(
    for identifiers: Identifiers
  ) async throws -> [Product] where Identifiers: Collection, Identifiers.Element == String {
    guard let device = StandIn.device else { return [] }
    return try await device.products(for: Array(identifiers)).map(Product.init)
  }

  public var latestTransaction: VerificationResult<Transaction>? {
    get async { await Transaction.latest(for: id) }
  }

  public var currentEntitlement: VerificationResult<Transaction>? {
    get async { await Transaction.currentEntitlement(for: id) }
  }

  public var currentEntitlements: Transaction.Transactions {
    Transaction.currentEntitlements(for: id)
  }

  @MainActor public func purchase(
    options: Set<Product.PurchaseOption> = []
  ) async throws -> Product.PurchaseResult {
    guard let device = StandIn.device else { throw StoreKitError.unknown }
    let answer = try await device.purchase(
      PurchaseRecord(
        productID: id, appAccountToken: options.compactMap(\.accountToken).first,
        quantity: options.compactMap(\.count).first ?? 1))
    switch answer {
    case .success(let text): return .success(VerificationResult(text))
    case .userCancelled: return .userCancelled
    case .pending: return .pending
    }
  }

  /// Apple's `Product.PurchaseResult`; like Apple's it is not `Equatable`.
  public enum PurchaseResult: Sendable {
    case success(VerificationResult<Transaction>)
    case userCancelled
    case pending
  }

  /// Apple's `Product.PurchaseError`.
  public enum PurchaseError: Error {
    case invalidQuantity, productUnavailable, purchaseNotAllowed, ineligibleForOffer
    case invalidOfferIdentifier, invalidOfferPrice, invalidOfferSignature, missingOfferParameters
    case paymentMethodBindingConfigurationRequired
  }

  /// Apple's `Product.PurchaseOption`.
  public struct PurchaseOption: Equatable, Hashable, Sendable {
    private enum Kind: Hashable, Sendable {
      case accountToken(UUID)
      case quantity(Int)
      case custom(String, String)
      case unused(String)
    }

    private let kind: Kind

    var accountToken: UUID? {
      if case .accountToken(let token) = kind { token } else { nil }
    }

    var count: Int? {
      if case .quantity(let count) = kind { count } else { nil }
    }

    public static func appAccountToken(_ token: UUID) -> Product.PurchaseOption {
      PurchaseOption(kind: .accountToken(token))
    }

    public static func billingPlanType(
      _ type: Product.SubscriptionInfo.BillingPlanType
    ) -> Product.PurchaseOption {
      PurchaseOption(kind: .custom("billingPlanType", type.rawValue))
    }

    public static func custom(key: String, value: String) -> Product.PurchaseOption {
      PurchaseOption(kind: .custom(key, value))
    }

    public static func custom(key: String, value: Double) -> Product.PurchaseOption {
      PurchaseOption(kind: .custom(key, "\(value)"))
    }

    public static func custom(key: String, value: Bool) -> Product.PurchaseOption {
      PurchaseOption(kind: .custom(key, "\(value)"))
    }

    public static func custom(key: String, value: Data) -> Product.PurchaseOption {
      PurchaseOption(kind: .custom(key, value.base64EncodedString()))
    }

    @preconcurrency public static func onStorefrontChange(
      shouldContinuePurchase: @escaping @Sendable (Storefront) -> Bool
    ) -> Product.PurchaseOption {
      PurchaseOption(kind: .unused("onStorefrontChange"))
    }

    public static func promotionalOffer(
      offerID: String, keyID: String, nonce: UUID, signature: Data, timestamp: Int
    ) -> Product.PurchaseOption {
      PurchaseOption(kind: .unused("promotionalOffer"))
    }

    public static func promotionalOffer(
      offerID: String, signature: Product.SubscriptionOffer.Signature
    ) -> Product.PurchaseOption {
      PurchaseOption(kind: .unused("promotionalOffer"))
    }

    public static func promotionalOffer(
      _ offerID: String, compactJWS: String
    ) -> [Product.PurchaseOption] {
      [PurchaseOption(kind: .unused("promotionalOffer"))]
    }

    public static func quantity(_ quantity: Int) -> Product.PurchaseOption {
      PurchaseOption(kind: .quantity(quantity))
    }

    public static func simulatesAskToBuyInSandbox(
      _ simulateAskToBuy: Bool
    ) -> Product.PurchaseOption {
      PurchaseOption(kind: .custom("simulatesAskToBuyInSandbox", "\(simulateAskToBuy)"))
    }

    public static func winBackOffer(
      _ offer: Product.SubscriptionOffer
    ) -> Product.PurchaseOption {
      PurchaseOption(kind: .unused("winBackOffer"))
    }

    public static func introductoryOfferEligibility(compactJWS: String) -> Product.PurchaseOption {
      PurchaseOption(kind: .unused("introductoryOfferEligibility"))
    }
  }
}
