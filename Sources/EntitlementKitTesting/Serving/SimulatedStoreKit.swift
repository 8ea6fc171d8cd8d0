#if os(Linux)
  import AppStoreModel
  package import Foundation
  package import StoreKit

  /// A simulated device behind the stand-in for StoreKit, so that the adapter that ships to phones is
  /// what runs.
  ///
  /// On Linux only: Apple's StoreKit takes no other device than its own.
  package struct SimulatedStoreKit: StoreKitDevice {
    private let device: SimulatedDevice

    package init(_ device: SimulatedDevice) {
      self.device = device
    }

    package func transactions(_ listing: StoreListing) async -> [SignedText] {
      switch listing {
      case .all: device.readHistory().map(signed)
      case .currentEntitlements: device.readListed().map(signed)
      case .unfinished: device.read(\.unfinished).map(signed)
      case .allOf(let product):
        device.readHistory().filter { $0.productID == product }.map(signed)
      case .currentEntitlementsOf(let product):
        device.readListed().filter { $0.productID == product }.map(signed)
      }
    }

    package func updates() -> AsyncStream<SignedText> {
      relay(device.announcements()) { signed($0) }
    }

    package func latest(for productID: String) async -> SignedText? {
      device.readHistory().filter { $0.productID == productID }
        .max { $0.purchaseDate < $1.purchaseDate }.map(signed)
    }

    package func statuses(forGroup groupID: String) async throws -> [SignedStatus] {
      do throws(SimulatedFailure) {
        return try device.readStatuses(ofGroup: groupID).map(signed)
      } catch {
        throw StoreKitError(error)
      }
    }

    package func statusUpdates() -> AsyncStream<SignedStatus> {
      relay(device.statusAnnouncements()) { originalID in
        let store = device.mutate { $0 }
        return device.status(of: originalID, in: store).map(signed)
      }
    }

    package func finish(_ transactionID: UInt64) async {
      let id = device.mutate { store in
        store.purchases.first { store.payload($0).transactionId == "\(transactionID)" }?.id
      }
      if let id { device.finish(id) }
    }

    package func sync() async throws {
      do throws(SimulatedFailure) {
        try device.sync()
      } catch {
        throw StoreKitError(error)
      }
    }

    package func appTransaction(refreshing: Bool) async throws -> SignedText {
      do throws(SimulatedFailure) {
        return SignedText(jws: device.signed(try device.appTransactionJSON()))
      } catch {
        throw StoreKitError(error)
      }
    }

    package func products(for identifiers: [String]) async throws -> [ProductRecord] {
      identifiers.map { id in record(id, device.mutate { $0.kind(of: id) }) }
    }

    package func purchase(_ purchase: PurchaseRecord) async throws -> PurchaseAnswer {
      let token = purchase.appAccountToken?.uuidString.lowercased()
      do throws(SimulatedFailure) {
        let answer = try device.answerPurchase(
          purchase.productID, quantity: Int32(clamping: purchase.quantity), appAccountToken: token)
        switch answer {
        case .bought(let bought): return .success(signed(bought))
        case .cancelled: return .userCancelled
        case .waiting: return .pending
        }
      } catch {
        throw StoreKitError(error)
      }
    }

    private func record(_ id: String, _ kind: SimulatedProductKind) -> ProductRecord {
      var group: String?
      let type: ProductType
      switch kind {
      case .consumable: type = .consumable
      case .nonConsumable: type = .nonConsumable
      case .nonRenewing: type = .nonRenewingSubscription
      case .subscription(let name, _, _):
        type = .autoRenewableSubscription
        group = name
      }
      return ProductRecord(
        id: id, type: type.rawValue, displayName: id, price: 9.99, displayPrice: "$9.99",
        isFamilyShareable: false, subscriptionGroupID: group)
    }

    package var canMakePayments: Bool { true }

    package var deviceVerificationID: UUID? { nil }

    package func storefront() async -> StorefrontRecord? {
      StorefrontRecord(id: "143441", countryCode: "USA")
    }

    package func purchaseIntents() -> AsyncStream<ProductRecord> {
      relay(device.intents()) { id in record(id, device.mutate { $0.kind(of: id) }) }
    }

    package func promotions() async throws -> [PromotionRecord] {
      device.locked {
        device.promotions.map { PromotionRecord(productID: $0.productID, isVisible: $0.isVisible) }
      }
    }

    package func promote(_ promotions: [PromotionRecord]) async throws {
      device.locked {
        device.promotions = promotions.map {
          SimulatedPromotion(productID: $0.productID, isVisible: $0.isVisible)
        }
      }
    }

    package func messages() -> AsyncStream<Int> { device.messageReasons() }

    private func signed(_ purchase: SimulatedPurchase) -> SignedText {
      let text = device.text(purchase)
      return SignedText(
        jws: text.jws, failure: text.failure.flatMap { SignedTextFailure(rawValue: $0) },
        hiding: device.mutate { $0.switches.hiddenMembers })
    }

    private func signed(_ status: SimulatedStatus) -> SignedStatus {
      let renewal =
        status.renewal
        ?? SimulatedRenewal(
          originalID: status.transaction.originalID, productID: status.transaction.productID,
          signedDate: status.transaction.signedDate)
      return SignedStatus(
        state: Int(status.state.rawValue), transaction: signed(status.transaction),
        renewalInfo: SignedText(jws: device.text(renewal).jws))
    }

    private func relay<From: Sendable, To: Sendable>(
      _ source: AsyncStream<From>, _ body: @escaping @Sendable (From) -> To?
    ) -> AsyncStream<To> {
      let (stream, continuation) = AsyncStream<To>.makeStream()
      let task = Task {
        for await element in source {
          if let made = body(element) { continuation.yield(made) }
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
      return stream
    }
  }

  extension StoreKitError {
    fileprivate init(_ failure: SimulatedFailure) {
      switch failure {
      case .offline: self = .networkError(URLError(.notConnectedToInternet))
      case .notSignedIn: self = .unknown
      case .cancelled: self = .userCancelled
      }
    }
  }
#endif
