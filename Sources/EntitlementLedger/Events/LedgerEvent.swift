/// News about a customer or a refund, with the whole new state, so that a reader needs no other.
public struct LedgerEvent: Hashable, Sendable {
  /// A closed list, described in `docs/contracts/event-types.md`.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Access begins.
    case granted
    /// Access ends because it was taken back.
    case revoked
    /// Access returns after it was taken back.
    case restored
    /// Access ends because its time is over or something took its place.
    case expired
    /// Access can no longer be told.
    case uncertain
    /// The same verdict for another reason, on other evidence, or until another moment.
    case changed
    /// Money went back.
    case refunded
    /// A refund was undone.
    case refundReversed
    /// A known refund amounts to something else.
    case refundAmended
  }

  public let kind: Kind
  /// The new decision, of an event about access.
  public let decision: Decision?
  /// The new state of the refund, of an event about money.
  public let refund: RefundEntry?
  /// Whether access changed together with the money.
  public let changesAccess: Bool

  package init(
    _ kind: Kind, decision: Decision? = nil, refund: RefundEntry? = nil, changesAccess: Bool
  ) {
    self.kind = kind
    self.decision = decision
    self.refund = refund
    self.changesAccess = changesAccess
  }
}
