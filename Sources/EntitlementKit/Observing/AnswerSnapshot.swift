/// What an observable object shows: all answers, and how far the store can be relied on.
struct AnswerSnapshot: Hashable, Sendable {
  let all: [Entitlement]
  let storeState: StoreState

  init(_ entitlements: Entitlements) {
    all = entitlements.all
    storeState = entitlements.storeState
  }
}

/// A follower of the answers, which ends with this object.
final class AnswerFollower: Sendable {
  private let end: @Sendable () -> Void

  init(_ end: @escaping @Sendable () -> Void) {
    self.end = end
  }

  deinit { end() }
}

extension Entitlement {
  /// The transaction that Apple can be asked to refund; `nil` where none of this customer's own is
  /// behind the answer.
  public var refundableTransactionID: UInt64? {
    guard case .entitled = answer, ownershipType != .familyShared, ownershipType != .assigned
    else { return nil }
    return transactionID.flatMap { UInt64($0) }
  }
}
