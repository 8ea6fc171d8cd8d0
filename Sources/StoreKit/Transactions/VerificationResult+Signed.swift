public import Foundation

extension VerificationResult where SignedType == Transaction {
  init(_ text: SignedText) {
    self.init(text, Transaction(jws: text.jws, hiding: text.hidden))
  }

  public var jwsRepresentation: String { unsafePayloadValue.jws }
  public var headerData: Data { JWSParts(jwsRepresentation).header }
  public var payloadData: Data { JWSParts(jwsRepresentation).payload }
  public var signatureData: Data { JWSParts(jwsRepresentation).signature }
  public var signedData: Data { JWSParts(jwsRepresentation).signed }
  public var signedDate: Date { unsafePayloadValue.signedDate }
  public var deviceVerification: Data { unsafePayloadValue.deviceVerification }
  public var deviceVerificationNonce: UUID { unsafePayloadValue.deviceVerificationNonce }
}

extension VerificationResult where SignedType == Product.SubscriptionInfo.RenewalInfo {
  init(_ text: SignedText) { self.init(text, Product.SubscriptionInfo.RenewalInfo(jws: text.jws)) }

  public var jwsRepresentation: String { unsafePayloadValue.jws }
  public var headerData: Data { JWSParts(jwsRepresentation).header }
  public var payloadData: Data { JWSParts(jwsRepresentation).payload }
  public var signatureData: Data { JWSParts(jwsRepresentation).signature }
  public var signedData: Data { JWSParts(jwsRepresentation).signed }
  public var signedDate: Date { unsafePayloadValue.signedDate }
  public var deviceVerification: Data { unsafePayloadValue.deviceVerification }
  public var deviceVerificationNonce: UUID { unsafePayloadValue.deviceVerificationNonce }
}

extension VerificationResult where SignedType == AppTransaction {
  init(_ text: SignedText) { self.init(text, AppTransaction(jws: text.jws)) }

  public var jwsRepresentation: String { unsafePayloadValue.jws }
  public var headerData: Data { JWSParts(jwsRepresentation).header }
  public var payloadData: Data { JWSParts(jwsRepresentation).payload }
  public var signatureData: Data { JWSParts(jwsRepresentation).signature }
  public var signedData: Data { JWSParts(jwsRepresentation).signed }
  public var signedDate: Date { unsafePayloadValue.signedDate }
  public var deviceVerification: Data { unsafePayloadValue.deviceVerification }
  public var deviceVerificationNonce: UUID { unsafePayloadValue.deviceVerificationNonce }
}

/// The parts of a JWS, decoded.
private struct JWSParts {
  let header: Data
  let payload: Data
  let signature: Data
  /// What the signature covers.
  let signed: Data

  init(_ jws: String) {
    let parts = jws.split(separator: ".", omittingEmptySubsequences: false)
    let decoded = parts.map { Data(base64URL: $0) ?? Data() }
    header = decoded.first ?? Data()
    payload = decoded.dropFirst().first ?? Data()
    signature = decoded.dropFirst(2).first ?? Data()
    signed = Data(parts.prefix(2).joined(separator: ".").utf8)
  }
}
