/// A certificate of the simulated App Store, together with its private key.
package struct Certificate: Sendable {
  /// Shape: DER.
  package let der: [UInt8]
  package let key: PrivateKey
  package let plan: CertificatePlan

  /// Makes a certificate that vouches for itself.
  package static func selfSigned(_ plan: CertificatePlan, key: PrivateKey) -> Certificate {
    Certificate(plan, key: key, issuer: plan.name, issuerKey: key)
  }

  /// Makes a certificate that this one vouches for, whether it has the right to or not.
  package func issue(_ plan: CertificatePlan, to key: PrivateKey) -> Certificate {
    Certificate(plan, key: key, issuer: self.plan.name, issuerKey: self.key)
  }

  /// Shape: the SHA-256 of the DER form, 64 lower-case hexadecimal digits.
  package var fingerprint: String { Hexadecimal.text(Digest.sha256.hash(der)) }

  private init(
    _ plan: CertificatePlan, key: PrivateKey, issuer: DistinguishedName, issuerKey: PrivateKey
  ) {
    self.plan = plan
    self.key = key
    let algorithm = DER.sequence(DER.objectIdentifier(plan.digest.ecdsaObjectIdentifier))
    let body =
      algorithm + (plan.statedIssuer ?? issuer).der
      + DER.sequence(DER.moment(plan.notBefore), DER.moment(plan.notAfter)) + plan.name.der
      + Self.publicKey(key) + Self.extensions(plan, key, issuerKey)
    // The serial number is made of all the rest: other certificates have other numbers.
    let serial = [0x40] + Digest.sha256.hash(body).prefix(15)
    let version = DER.tagged(0xA0, DER.integer([2]))
    let signed = DER.sequence(version, DER.integer(serial), body)
    let signature = issuerKey.sign(signed, plan.digest)
    der = DER.sequence(signed, algorithm, DER.bits(ECDSASignature.der(signature)))
  }

  private static func publicKey(_ key: PrivateKey) -> [UInt8] {
    let algorithm = DER.sequence(
      DER.objectIdentifier("1.2.840.10045.2.1"), DER.objectIdentifier(key.curve.objectIdentifier))
    return DER.sequence(algorithm, DER.bits(key.publicPoint))
  }
}
