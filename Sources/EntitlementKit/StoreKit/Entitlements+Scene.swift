#if canImport(UIKit) && !os(watchOS)
  public import StoreKit
  public import UIKit

  @available(iOS 17, tvOS 17, visionOS 1, *)
  extension Entitlements {
    /// Buys, with the sheet in a scene of the app's choice: the only way on visionOS.
    ///
    /// - Throws: What StoreKit throws.
    @MainActor public func purchase(
      _ product: Product, confirmIn scene: some UIScene,
      options: Set<Product.PurchaseOption> = []
    ) async throws -> PurchaseOutcome {
      try await taking { try await product.purchase(confirmIn: scene, options: options) }
    }
  }
#endif
