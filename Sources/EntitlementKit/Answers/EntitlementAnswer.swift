public import Foundation

/// The three answers to "may they?": never two.
public enum EntitlementAnswer: Hashable, Sendable {
  /// The store vouches for it.
  ///
  /// `until` is when that ends if nothing more is heard; `nil` for never.
  case entitled(until: Date?)
  /// There is evidence against it.
  case notEntitled(because: Denial)
  /// The store gave no answer: nothing listed, an error, a cancelled reading, an item that
  /// StoreKit could not verify.
  case unknown(last: LastKnown?)
}

/// What the store last vouched for, while it gives no answer.
public struct LastKnown: Hashable, Sendable {
  /// The transaction that the store vouched for, as decimal text.
  public let transactionID: String
  /// The product that it paid for.
  public let productID: String
  /// When it ends with its period and grace; `nil` for never, or where the store did not say.
  public let until: Date?
  /// When the store last showed it: a policy counts from here.
  public let vouchedAt: Date
}

/// Why access is refused, with its evidence.
public enum Denial: Hashable, Sendable {
  /// The store answered, and nothing that grants it was ever bought.
  case neverBought
  /// Its time is over, and nothing was taken back; `nil` where no end was stated.
  case expired(at: Date?)
  /// A renewal is unpaid and there is no grace, or it is over.
  case billingProblem(since: Date?)
  /// The App Store gave money back.
  case refunded(RevocationEvidence)
  /// A family member stopped sharing it, left, or was refunded; no money of this customer moved.
  case familySharingEnded(RevocationEvidence)
  /// An organisation took the seat away.
  case seatWithdrawn(RevocationEvidence)
  /// It was taken back in a way that Apple did not name, or named in a word we do not know.
  case revoked(RevocationEvidence)
  /// StoreKit states that the subscription is revoked, and no transaction shows it.
  case revokedByStatus
  /// A higher tier, or a later purchase, took its place.
  case upgradedAway
  /// The subscription went into a bundle that does not grant this right.
  case movedToBundle
  /// Bought, and not begun.
  case notBegun(from: Date?)

  /// The revocation behind it, where one is.
  public var revocation: RevocationEvidence? {
    switch self {
    case .refunded(let evidence), .familySharingEnded(let evidence), .seatWithdrawn(let evidence),
      .revoked(let evidence):
      evidence
    case .neverBought, .expired, .billingProblem, .revokedByStatus, .upgradedAway, .movedToBundle,
      .notBegun:
      nil
    }
  }

  var isTakenBack: Bool { revocation != nil || self == .revokedByStatus }
}
