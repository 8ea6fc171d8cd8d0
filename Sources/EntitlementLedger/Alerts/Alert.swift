/// Something in a fact that we do not know what to make of: raised once for each value.
///
/// The fact is kept and acted on as far as is safe; a person should look at it.
public struct Alert: Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Apple sent a value that we have no meaning for.
    case unknownValue
    /// The catalog lists products, and not this one: what it grants is unknown.
    case unmappedProduct
    /// Access ended and nothing says why: no money is booked.
    case unclassifiedRevocation
  }

  public let kind: Kind
  /// Apple's name of the member.
  public let field: String
  /// As it was sent; for an unclassified revocation the transaction.
  public let value: String

  public init(_ kind: Kind, field: String, value: String) {
    self.kind = kind
    self.field = field
    self.value = value
  }
}
