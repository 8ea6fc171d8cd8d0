import AppStoreModel
package import Foundation
package import StoreKit

extension CustomerDevice {
  package func sync() async throws {
    if isOffline { throw StoreKitError.networkError(URLError(.notConnectedToInternet)) }
  }

  package func appTransaction(refreshing: Bool) async throws -> SignedText {
    if refreshing { try await sync() }
    return signedAppTransaction()
  }

  package func products(for identifiers: [String]) async throws -> [ProductRecord] {
    withState { state in
      identifiers.compactMap { id in state.store.catalog.first { $0.id == id } }.map(record)
    }
  }

  private func record(_ product: SimulatedProduct) -> ProductRecord {
    let price = Decimal(product.price.milliunits) / 1_000
    return ProductRecord(
      id: product.id, type: product.type.rawValue, displayName: product.shortName, price: price,
      displayPrice: "\(price) \(product.price.currency.code)",
      isFamilyShareable: product.isFamilyShareable,
      subscriptionGroupID: product.group)
  }

  /// Who buys what is the story's: a sheet that an app opens is closed again.
  package func purchase(_ purchase: PurchaseRecord) async throws -> PurchaseAnswer {
    .userCancelled
  }

  package var canMakePayments: Bool { true }

  package var deviceVerificationID: UUID? { nil }

  package func storefront() async -> StorefrontRecord? {
    StorefrontRecord(id: customer.storefront.id, countryCode: customer.storefront.code)
  }
}
