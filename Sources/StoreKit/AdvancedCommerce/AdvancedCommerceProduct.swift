/// Apple's `AdvancedCommerceProduct`: a generic product whose content the developer's server names.
public struct AdvancedCommerceProduct: Sendable {
  private let id: String

  public init(id: String) async throws {
    guard try await StandIn.device?.products(for: [id]).isEmpty == false else {
      throw StoreKitError.unknown
    }
    self.id = id
  }

  public var latestTransaction: VerificationResult<Transaction>? {
    get async { await Transaction.latest(for: id) }
  }

  public var allTransactions: Transaction.Transactions { Transaction.all(for: id) }

  public var currentEntitlements: Transaction.Transactions {
    Transaction.currentEntitlements(for: id)
  }
}
