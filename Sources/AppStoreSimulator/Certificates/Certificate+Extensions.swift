internal import CCrypto

extension Certificate {
  /// Source: RFC 5280, section 4.2.
  static func extensions(
    _ plan: CertificatePlan, _ key: PrivateKey, _ issuerKey: PrivateKey
  ) -> [UInt8] {
    var all: [UInt8] = basicConstraints(plan)
    if plan.hasKeyIdentifiers {
      let issuer = DER.sequence(DER.tagged(0x80, keyIdentifier(issuerKey)))
      all += entry("2.5.29.35", isCritical: false, issuer)
      all += entry("2.5.29.14", isCritical: false, DER.octets(keyIdentifier(key)))
    }
    all += keyUsage(plan)
    for marker in plan.markers {
      all += entry(marker, isCritical: plan.areMarkersCritical, DER.null)
    }
    return all.isEmpty ? [] : DER.tagged(0xA3, DER.sequence(all))
  }

  private static func basicConstraints(_ plan: CertificatePlan) -> [UInt8] {
    guard let isAuthority = plan.isAuthority else { return [] }
    let length = plan.pathLength.map { DER.integer([$0]) } ?? []
    let value = DER.sequence(isAuthority ? DER.yes : [], length)
    return entry("2.5.29.19", isCritical: plan.isBasicConstraintsCritical, value)
  }

  private static func keyUsage(_ plan: CertificatePlan) -> [UInt8] {
    switch plan.keyUsage {
    case nil: []
    case .digitalSignature: entry("2.5.29.15", isCritical: true, DER.bits([0x80], unused: 7))
    // Certificates and the lists that revoke them.
    case .certificateSigning: entry("2.5.29.15", isCritical: true, DER.bits([0x06], unused: 1))
    }
  }

  private static func entry(_ type: String, isCritical: Bool, _ value: [UInt8]) -> [UInt8] {
    DER.sequence(DER.objectIdentifier(type), isCritical ? DER.yes : [], DER.octets(value))
  }

  /// Source: RFC 5280, section 4.2.1.2, method 1.
  private static func keyIdentifier(_ key: PrivateKey) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 20) { buffer, count in
      SHA1(key.publicPoint, key.publicPoint.count, buffer.baseAddress)
      count = 20
    }
  }
}
