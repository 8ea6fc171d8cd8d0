package import AppStoreModel

/// What a certificate is to say.
///
/// Each member can be spoiled on its own.
package struct CertificatePlan: Sendable {
  package var name: DistinguishedName
  package var curve: Curve
  package var notBefore: Timestamp
  package var notAfter: Timestamp
  /// Whether it may issue others; absent leaves the whole extension out.
  package var isAuthority: Bool?
  /// How many authorities may follow before the leaf; absent sets no limit.
  package var pathLength: UInt8?
  package var isBasicConstraintsCritical = true
  package var keyUsage: KeyUsage?
  /// Whether it names its own key and its issuer's.
  package var hasKeyIdentifiers = true
  /// The extensions that are there or not, and hold nothing.
  ///
  /// Shape: object identifiers in dotted form.
  package var markers: [String]
  package var areMarkersCritical = false
  /// The hash function that its issuer signs with.
  package var digest = Digest.sha384
  /// The issuer that it names; absent for the one that signs it.
  package var statedIssuer: DistinguishedName?

  package enum KeyUsage: Sendable {
    case digitalSignature
    case certificateSigning
  }
}

extension CertificatePlan {
  /// The marker of an intermediate certificate under which the App Store signs.
  ///
  /// Shape: an object identifier in dotted form.
  package static let intermediateMarker = "1.2.840.113635.100.6.2.1"

  /// The marker of a leaf certificate with which the App Store signs purchases.
  ///
  /// Shape: an object identifier in dotted form.
  package static let leafMarker = "1.2.840.113635.100.6.11.1"

  /// A root as good as Apple's.
  package static let root = CertificatePlan(
    name: DistinguishedName("Simulated App Store Root CA", unit: "For tests only"), curve: .p384,
    notBefore: .start, notAfter: .end, isAuthority: true, keyUsage: .certificateSigning,
    markers: [SimulatorMarker.objectIdentifier])

  /// An intermediate as good as Apple's.
  package static let intermediate = CertificatePlan(
    name: DistinguishedName("Simulated App Store Developer Relations CA", unit: "For tests only"),
    curve: .p384, notBefore: .start, notAfter: .end, isAuthority: true, pathLength: 0,
    keyUsage: .certificateSigning,
    markers: [intermediateMarker, SimulatorMarker.objectIdentifier])

  /// A leaf as good as Apple's.
  package static let leaf = CertificatePlan(
    name: DistinguishedName("Simulated App Store Purchase Signing", unit: "For tests only"),
    curve: .p256, notBefore: .start, notAfter: .end, isAuthority: false,
    keyUsage: .digitalSignature, markers: [leafMarker, SimulatorMarker.objectIdentifier])
}

extension Timestamp {
  // Fixed, so that a seed always gives the same root, and wide, so that a story may be set anywhere.
  /// 2015-01-01T00:00:00Z.
  fileprivate static let start = Timestamp(millisecondsSince1970: 1_420_070_400_000)
  /// 2049-12-31T23:59:59Z.
  fileprivate static let end = Timestamp(millisecondsSince1970: 2_524_607_999_000)
}
