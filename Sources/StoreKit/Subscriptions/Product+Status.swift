import Foundation

extension Product.SubscriptionInfo {
  /// Apple's `Product.SubscriptionInfo.RenewalState`.
  public struct RenewalState: RawRepresentable, Equatable, Hashable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let subscribed: Product.SubscriptionInfo.RenewalState = .init(rawValue: 1)
    public static let expired: Product.SubscriptionInfo.RenewalState = .init(rawValue: 2)
    public static let inBillingRetryPeriod: Product.SubscriptionInfo.RenewalState = .init(
      rawValue: 3)
    public static let inGracePeriod: Product.SubscriptionInfo.RenewalState = .init(rawValue: 4)
    public static let revoked: Product.SubscriptionInfo.RenewalState = .init(rawValue: 5)
  }

  /// Apple's `Product.SubscriptionInfo.Status`.
  public struct Status: Equatable, Hashable {
    public let state: Product.SubscriptionInfo.RenewalState
    public let transaction: VerificationResult<Transaction>
    public let renewalInfo: VerificationResult<Product.SubscriptionInfo.RenewalInfo>

    init(_ status: SignedStatus) {
      state = RenewalState(rawValue: status.state)
      transaction = VerificationResult(status.transaction)
      renewalInfo = VerificationResult(status.renewalInfo)
    }
  }

  public var status: [Product.SubscriptionInfo.Status] {
    get async throws { try await Self.status(for: subscriptionGroupID) }
  }

  public static func status(
    for groupID: String
  ) async throws -> [Product.SubscriptionInfo.Status] {
    guard let device = StandIn.device else { return [] }
    return try await device.statuses(forGroup: groupID).map(Status.init)
  }

  public static func status(
    transactionID: UInt64
  ) async throws -> Product.SubscriptionInfo.Status? {
    guard let device = StandIn.device else { return nil }
    let copies = await device.transactions(.all).map { VerificationResult<Transaction>($0) }
    guard let copy = copies.first(where: { $0.unsafePayloadValue.id == transactionID }) else {
      return nil
    }
    return await copy.unsafePayloadValue.subscriptionStatus
  }
}

extension Product.SubscriptionInfo.Status {
  /// Apple's `Product.SubscriptionInfo.Status.Statuses`.
  public struct Statuses: AsyncSequence {
    public typealias Element = Product.SubscriptionInfo.Status

    /// Apple's iterator; like Apple's it is not `Sendable`.
    public struct AsyncIterator: AsyncIteratorProtocol {
      private var announced: AsyncStream<SignedStatus>.AsyncIterator?

      init() {
        announced = StandIn.device?.statusUpdates().makeAsyncIterator()
      }

      public mutating func next() async -> Product.SubscriptionInfo.Status? {
        await announced?.next().map(Product.SubscriptionInfo.Status.init)
      }
    }

    public func makeAsyncIterator() -> Product.SubscriptionInfo.Status.Statuses.AsyncIterator {
      AsyncIterator()
    }
  }

  public static var updates: Product.SubscriptionInfo.Status.Statuses { Statuses() }

  public static var all: AsyncStream<(groupID: String, statuses: [Product.SubscriptionInfo.Status])>
  {
    AsyncStream { continuation in
      let task = Task {
        for group in await groups {
          guard let statuses = try? await Product.SubscriptionInfo.status(for: group) else {
            continue
          }
          continuation.yield((groupID: group, statuses: statuses))
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  /// Every group that the history shows, sorted.
  private static var groups: [String] {
    get async {
      var groups: Set<String> = []
      for await copy in Transaction.all {
        if let group = copy.unsafePayloadValue.subscriptionGroupID { groups.insert(group) }
      }
      return groups.sorted()
    }
  }
}

extension Product.SubscriptionInfo.Status: Sendable {}
extension Product.SubscriptionInfo.Status.Statuses: Sendable {}
extension Product.SubscriptionInfo.RenewalState: Sendable {}
