/// Whose a chain is, and how we know.
///
/// A genuine signature is not ownership: a device that shows a transaction never decides.
public struct Attribution: Hashable, Sendable {
  /// What it rests on, in order of precedence.
  public enum Basis: String, Hashable, Sendable, CaseIterable {
    /// An administrator moved it.
    case transfer
    /// The `appAccountToken` inside the transaction.
    case token
    /// A backend linked it.
    case link
    /// The owner of the chain that this one continues.
    case predecessor
    /// A backend linked another chain of the same Apple Account.
    case appTransaction
    /// Nobody said who the Apple Account is.
    case anonymous
  }

  /// `nil` for a chain that nothing tells about.
  public let customer: CustomerID?
  public let basis: Basis?

  /// What our own records say of one chain.
  public struct Records: Hashable, Sendable {
    public var transferredTo: CustomerID?
    /// Who registered the claim's token; a token that nobody registered names the customer itself.
    public var tokenOwner: CustomerID?
    public var linkedTo: CustomerID?
    public var predecessorOwner: CustomerID?
    /// To whom a link bound the claim's `appTransactionId`.
    public var boundTo: CustomerID?

    public init() {}
  }

  public init(_ claim: OwnershipClaim, _ records: Records) {
    let token = records.tokenOwner ?? claim.appAccountToken.flatMap { CustomerID($0) }
    let candidates: [(Basis, CustomerID?)] = [
      (.transfer, records.transferredTo),
      (.token, claim.appAccountToken == nil ? nil : token),
      (.link, records.linkedTo),
      (.predecessor, records.predecessorOwner),
      (.appTransaction, claim.appTransactionId == nil ? nil : records.boundTo),
      (.anonymous, claim.appTransactionId.map { .anonymous(appTransactionId: $0) }),
    ]
    let found = candidates.first { $0.1 != nil }
    customer = found?.1
    basis = found?.0
  }
}

/// Why a backend may not link a chain to a customer.
///
/// The cases stand in order of precedence.
public enum LinkRefusal: Error, Hashable, Sendable {
  /// An administrator gave it to somebody else.
  case transferredElsewhere
  /// The token that Apple signed names somebody else.
  case tokenNamesAnother
  /// It is linked to somebody else.
  case linkedElsewhere
  /// The Apple Account's purchases in this app belong to somebody else.
  case boundElsewhere

  public var isTransient: Bool { false }

  /// What the operator should do next.
  public var advice: String {
    "An administrator can transfer the purchase, with a reason; both customers are told."
  }
}

extension LinkRefusal: CustomStringConvertible {
  public var description: String {
    switch self {
    case .transferredElsewhere: "the purchase was transferred to another customer"
    case .tokenNamesAnother: "the purchase carries the token of another customer"
    case .linkedElsewhere: "the purchase is linked to another customer"
    case .boundElsewhere: "the Apple Account is bound to another customer"
    }
  }
}

extension Attribution {
  /// Checks that a backend may link a chain.
  ///
  /// - Parameters:
  ///   - customer: To whom.
  ///   - claim: What Apple signed.
  ///   - records: What our own records say.
  /// - Throws: ``LinkRefusal`` when it belongs to another customer.
  public static func checkLink(
    to customer: CustomerID, _ claim: OwnershipClaim, _ records: Records
  ) throws(LinkRefusal) {
    let current = Attribution(claim, records)
    if let other = records.transferredTo, other != customer { throw .transferredElsewhere }
    if current.basis == .token, current.customer != customer { throw .tokenNamesAnother }
    if let other = records.linkedTo, other != customer { throw .linkedElsewhere }
    if claim.appTransactionId != nil, let other = records.boundTo, other != customer {
      throw .boundElsewhere
    }
  }
}

extension Attribution {
  /// Whether a backend said whose it is, rather than the app that bought: only then can anything be
  /// owed for it.
  public func isVouchedFor(_ records: Records) -> Bool {
    switch basis {
    case .transfer, .link, .appTransaction: true
    case .token: records.tokenOwner != nil
    case .predecessor, .anonymous, nil: false
    }
  }
}
