import Foundation

/// Apple's `VerificationResult`: what was signed, and whether StoreKit's own check passed.
@frozen public enum VerificationResult<SignedType> {
  case unverified(SignedType, VerificationResult<SignedType>.VerificationError)
  case verified(SignedType)

  public var payloadValue: SignedType {
    get throws {
      switch self {
      case .verified(let value): return value
      case .unverified(_, let error): throw error
      }
    }
  }

  public var unsafePayloadValue: SignedType {
    switch self {
    case .verified(let value), .unverified(let value, _): value
    }
  }
}

extension VerificationResult {
  /// Apple's `VerificationResult.VerificationError`.
  public enum VerificationError: Error {
    case revokedCertificate, invalidCertificateChain, invalidDeviceVerification
    case invalidEncoding, invalidSignature, missingRequiredProperties

    init(_ failure: SignedTextFailure) {
      switch failure {
      case .revokedCertificate: self = .revokedCertificate
      case .invalidCertificateChain: self = .invalidCertificateChain
      case .invalidDeviceVerification: self = .invalidDeviceVerification
      case .invalidEncoding: self = .invalidEncoding
      case .invalidSignature: self = .invalidSignature
      case .missingRequiredProperties: self = .missingRequiredProperties
      }
    }
  }

  init(_ text: SignedText, _ value: SignedType) {
    if let failure = text.failure {
      self = .unverified(value, VerificationError(failure))
    } else {
      self = .verified(value)
    }
  }
}

extension VerificationResult: Equatable where SignedType: Equatable {}
extension VerificationResult: Hashable where SignedType: Hashable {}
extension VerificationResult: Sendable where SignedType: Sendable {}

extension VerificationResult: CustomDebugStringConvertible
where SignedType: CustomDebugStringConvertible {
  public var debugDescription: String {
    switch self {
    case .verified(let value): "verified(\(value.debugDescription))"
    case .unverified(let value, let error): "unverified(\(value.debugDescription), \(error))"
    }
  }
}
