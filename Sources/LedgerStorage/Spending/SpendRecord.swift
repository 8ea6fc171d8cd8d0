package import AppStoreModel
package import EntitlementLedger

/// What serving a customer did cost.
package struct SpendRecord: Hashable, Sendable {
  package enum Lateness: String, Hashable, Sendable {
    /// Spent after Apple's date and before we knew.
    case unseen
    /// Spent after we knew.
    case ignored
  }

  /// A part of the spend, and the purchase that it is charged to.
  ///
  /// The parts of a spend add up to it, exactly.
  package struct Charge: Hashable, Sendable {
    /// `nil` where no purchase pays: a manual grant, a customer of whom nothing is known.
    package let originalTransactionId: String?
    package let transactionId: String?
    package let cost: Cost
    /// What was drawn from the purchase's lot.
    package let credits: Int64
    /// As it was known when the spend was recorded: later news of a revocation does not change it.
    package let lateness: Lateness?
  }

  /// Grows; a reader that asks for what comes after a position misses nothing.
  package let position: Int64
  package let id: String
  package let customer: CustomerKey
  /// The hold that it settled; `nil` for one that was recorded afterwards.
  package let authorizationId: String?
  /// The recurring cost that it is a period of, or several.
  package let runningCost: String?
  package let purpose: SpendPurpose
  /// Credits that no lot could give.
  package let uncovered: Int64
  /// At least one.
  package let charges: [Charge]
  /// Whether more was spent than was held.
  package let isAboveHold: Bool
  /// Whether it was allowed while the store could not be reached.
  package let isDegraded: Bool
  /// How many periods of the recurring cost it is, one after the other; 1 for anything else.
  package let periods: Int64
  /// How long each of several is; each costs the same.
  package let period: TimeSpan?
  /// Of several periods the beginning of the first.
  package let spentAt: Timestamp
  package let recordedAt: Timestamp

  package var cost: Cost { purpose.cost }

  /// The worst of its charges: spent although it was known, spent before it was known, in time.
  package var lateness: Lateness? {
    let all = Set(charges.compactMap(\.lateness))
    return all.contains(.ignored) ? .ignored : all.first
  }
}
