package import AppStoreModel
import Foundation
import StoreKit

/// StoreKit 2, as the kit asks it.
///
/// Everything is read from the signed JSON first, which holds the same members on every system;
/// StoreKit's own members fill in what it leaves out.
package struct StoreKitConnection: StoreConnection {
  package let realm: Realm
  package let bundleID: String?
  private let system: SystemLevel

  /// - Parameters:
  ///   - bundleID: The app that is running.
  ///   - realm: Apple's, but for a simulated store.
  ///   - system: What the system is taken to have.
  package init(
    bundleID: String? = Bundle.main.bundleIdentifier, realm: Realm = .apple,
    system: SystemLevel = .current
  ) {
    self.bundleID = bundleID
    self.realm = realm
    self.system = system
  }

  /// The one iterator over announcements; it is left only when the task is cancelled.
  package func listen(
    standing: @Sendable () -> Void, _ handle: @Sendable (StoreTransaction) async -> Void
  ) async {
    var announced = Transaction.updates.makeAsyncIterator()
    standing()
    while let result = await announced.next() { await handle(StoreTransaction(result)) }
  }

  package func listenToStatuses(_ handle: @Sendable (StoreStatus) async -> Void) async {
    for await status in Product.SubscriptionInfo.Status.updates {
      await handle(StoreStatus(status))
    }
  }

  package func currentEntitlements() async -> [StoreTransaction] {
    await read(Transaction.currentEntitlements)
  }

  package func history() async -> [StoreTransaction] {
    await read(Transaction.all)
  }

  package func unfinished() async -> [StoreTransaction] {
    await read(Transaction.unfinished)
  }

  package func statuses(ofGroup group: String) async throws(StoreFailure) -> [StoreStatus] {
    do {
      return try await Product.SubscriptionInfo.status(for: group).map(StoreStatus.init)
    } catch {
      throw StoreFailure(error)
    }
  }

  package func appTransaction() async throws(StoreFailure) -> StoreAppTransaction? {
    guard system.hasAppTransaction else { return nil }
    guard #available(iOS 16, macOS 13, tvOS 16, watchOS 9, visionOS 1, *) else { return nil }
    do {
      guard case .verified(let transaction) = try await AppTransaction.shared else { return nil }
      return StoreAppTransaction(
        appTransactionID: transaction.appTransactionID,
        environment: AppStoreEnvironment(rawValue: transaction.environment.rawValue),
        revocationDate: transaction.revocationDate.map { Timestamp($0) })
    } catch {
      throw StoreFailure(error)
    }
  }

  package func sync() async throws(StoreFailure) {
    do {
      try await AppStore.sync()
    } catch {
      throw StoreFailure(error)
    }
  }

  private func read(_ sequence: Transaction.Transactions) async -> [StoreTransaction] {
    var items: [StoreTransaction] = []
    for await result in sequence { items.append(StoreTransaction(result)) }
    return items
  }
}

/// What the system has of StoreKit beyond iOS 15: a test can take an old one for granted.
package struct SystemLevel: Hashable, Sendable {
  /// Since iOS 16.
  package let hasAppTransaction: Bool

  package init(hasAppTransaction: Bool) {
    self.hasAppTransaction = hasAppTransaction
  }

  package static let current = SystemLevel(hasAppTransaction: true)
}
