extension Transaction {
  /// Apple's `Transaction.Transactions`: the one type behind every sequence of transactions.
  public struct Transactions: AsyncSequence {
    public typealias Element = VerificationResult<Transaction>

    /// Apple's iterator; like Apple's it is not `Sendable`.
    public struct AsyncIterator: AsyncIteratorProtocol {
      private let listing: StoreListing?
      private var listed: [SignedText]?
      private var announced: AsyncStream<SignedText>.AsyncIterator?

      init(_ listing: StoreListing?) {
        self.listing = listing
        announced = listing == nil ? StandIn.device?.updates().makeAsyncIterator() : nil
      }

      public mutating func next() async -> VerificationResult<Transaction>? {
        guard let listing else { return await announced?.next().map(VerificationResult.init) }
        if listed == nil {
          listed = await StandIn.device?.transactions(listing).reversed() ?? []
        }
        return listed?.popLast().map(VerificationResult.init)
      }
    }

    /// `nil` for what is announced, which does not end.
    let listing: StoreListing?

    public func makeAsyncIterator() -> Transaction.Transactions.AsyncIterator {
      AsyncIterator(listing)
    }
  }

  public static var all: Transaction.Transactions { Transactions(listing: .all) }

  public static var currentEntitlements: Transaction.Transactions {
    Transactions(listing: .currentEntitlements)
  }

  public static var unfinished: Transaction.Transactions { Transactions(listing: .unfinished) }

  public static var updates: Transaction.Transactions { Transactions(listing: nil) }

  public static func latest(for productID: String) async -> VerificationResult<Transaction>? {
    await StandIn.device?.latest(for: productID).map(VerificationResult.init)
  }

  public static func currentEntitlement(
    for productID: String
  ) async -> VerificationResult<Transaction>? {
    await StandIn.device?.transactions(.currentEntitlementsOf(productID: productID)).last
      .map(VerificationResult.init)
  }

  public static func all(for productID: String) -> Transaction.Transactions {
    Transactions(listing: .allOf(productID: productID))
  }

  public static func currentEntitlements(for productID: String) -> Transaction.Transactions {
    Transactions(listing: .currentEntitlementsOf(productID: productID))
  }

  public var subscriptionStatus: Product.SubscriptionInfo.Status? {
    get async {
      guard let subscriptionGroupID else { return nil }
      let statuses = try? await Product.SubscriptionInfo.status(for: subscriptionGroupID)
      return statuses?.first { $0.transaction.unsafePayloadValue.originalID == originalID }
    }
  }
}

extension Transaction.Transactions: Sendable {}
