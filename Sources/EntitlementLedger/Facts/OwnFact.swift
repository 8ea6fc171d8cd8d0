public import AppStoreModel

/// A statement of our own, never of Apple's.
public struct OwnFact: Hashable, Sendable {
  public let scope: Scope
  public let recordedAt: Timestamp
  /// The name of the API key that stated it; `nil` where none did.
  public let recordedBy: String?
  /// Why it was made, in the words of who made it.
  public let note: String?
  public let statement: Statement

  public init(
    scope: Scope, recordedAt: Timestamp, recordedBy: String? = nil, note: String? = nil,
    statement: Statement
  ) {
    self.scope = scope
    self.recordedAt = recordedAt
    self.recordedBy = recordedBy
    self.note = note
    self.statement = statement
  }

  /// What it states.
  public enum Statement: Hashable, Sendable {
    /// Access without a purchase.
    case grant(ManualGrant)
    /// The end of such access, from the moment of record.
    case grantRevoked(grantId: String)
    /// A backend says whose chain it is, and with it whose `appTransactionId`.
    case link(customer: CustomerID, originalTransactionId: String, appTransactionId: String?)
    /// The end of that link.
    case unlink(customer: CustomerID, originalTransactionId: String)
    /// An administrator moves a chain, over everything that is signed.
    case transfer(to: CustomerID, originalTransactionId: String)
    /// A token that a backend registered for its customer.
    case registeredToken(customer: CustomerID, appAccountToken: String)
    /// Whether a customer lets us tell Apple how a purchase was used, and which key said so.
    case consumptionConsent(customer: CustomerID, isGiven: Bool, recordedBy: String)
    /// What a product grants from a moment on.
    case catalogEntry(CatalogEntry)
    /// How doubt is treated from a moment on.
    case policyEntry(PolicyEntry)
  }
}
