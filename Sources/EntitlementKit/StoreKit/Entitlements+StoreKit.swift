import AppStoreModel
import Foundation
public import StoreKit

extension Entitlements {
  /// Starts listening to StoreKit and looks at it, now and at each return to the foreground.
  ///
  /// - Parameters:
  ///   - rules: What the app asks about.
  ///   - cache: Where to keep what is known between two runs.
  ///   - server: Where to report what StoreKit shows; nowhere unless named.
  ///   - reports: Where reports wait between two runs.
  ///   - deliver: Takes consumables into the app's own books; without it they stay unfinished.
  ///   - secondOpinion: Asks the server where the device may be blind; nobody unless given.
  public convenience init(
    _ rules: [EntitlementRule], cache: any EntitlementCache = FileCache.entitlements,
    reportingTo server: ReportingServer? = nil,
    reports: any EntitlementCache = FileCache.reports, deliver: ConsumableDelivery? = nil,
    secondOpinion: SecondOpinion? = nil
  ) {
    let clock = DeviceClock()
    let version = Bundle.main.infoDictionary?["CFBundleShortVersionString"] as? String
    let reporter = server.map { server in
      Reporter(
        transport: HTTPTransport(server), clock: clock, storage: reports,
        appVersion: version)
    }
    self.init(
      rules, connection: StoreKitConnection(), clock: clock, cache: cache, deliver: deliver,
      reporter: reporter, secondOpinion: secondOpinion)
    refreshInForeground()
  }

  #if !os(visionOS)
    /// Buys, and takes the transaction in from the result: the listing may not show it for a second.
    ///
    /// - Throws: What StoreKit throws.
    @MainActor public func purchase(
      _ product: Product, options: Set<Product.PurchaseOption> = []
    ) async throws -> PurchaseOutcome {
      try await taking { try await product.purchase(options: options) }
    }
  #endif

  /// Mostly a closed sheet is a result and sometimes an error: to an app it is the same.
  @MainActor func taking(
    _ purchase: @MainActor () async throws -> Product.PurchaseResult
  ) async throws -> PurchaseOutcome {
    do {
      return await merge(try await purchase())
    } catch StoreKitError.userCancelled {
      return .cancelled
    }
  }

  /// Takes in what a purchase returned that the app, or one of Apple's views, has made.
  @discardableResult
  public func merge(_ result: Product.PurchaseResult) async -> PurchaseOutcome {
    switch result {
    case .success(let signed):
      let item = StoreTransaction(signed)
      await merge(item)
      if let failure = item.failure { return .unverified(failure) }
      return .completed(transactionID: "\(signed.unsafePayloadValue.id)")
    case .userCancelled: return .cancelled
    case .pending: return .pending
    @unknown default: return .pending
    }
  }
}

/// How a purchase ended; what it grants is asked of the rights, not of the purchase.
public enum PurchaseOutcome: Hashable, Sendable {
  /// Recorded and finished; a consumable once the app has it.
  case completed(transactionID: String)
  /// Somebody has yet to agree; the listener hears of it.
  case pending
  /// The customer closed the sheet.
  case cancelled
  /// StoreKit could not verify it: the name of its error. It grants nothing and stays unfinished.
  case unverified(String)
}
