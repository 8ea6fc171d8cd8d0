public import AppStoreModel

/// One JWS whose chain, signature and origin were found good.
public struct SignedDocument<Payload: Sendable>: Sendable {
  public enum Content: Sendable {
    case understood(Verified<Payload>)
    /// Proved, but of a shape that this version cannot read: to be stored and acknowledged.
    case opaque(Verified<Opaque>)
  }

  public let content: Content
  public let text: SignedText
  /// Who signed it.
  public let signer: Signer
}

extension SignedDocument {
  /// The verified payload; `nil` when it could not be understood.
  public var verified: Verified<Payload>? {
    guard case .understood(let verified) = content else { return nil }
    return verified
  }

  public var payload: Payload? { verified?.payload }

  public var realm: Realm { signer.realm }

  /// The moment that the certificates were judged at.
  public var judgedAt: Timestamp {
    switch content {
    case .understood(let verified): verified.judgedAt
    case .opaque(let verified): verified.judgedAt
    }
  }
}
