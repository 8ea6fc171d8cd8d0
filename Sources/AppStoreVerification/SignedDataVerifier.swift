import AppStoreModel

/// Proves who signed App Store data: signed text in, ``AppStoreModel/Verified`` payloads out.
///
/// One verifier serves all threads. It opens no socket, reads no clock and keeps nothing but the
/// chains it found good. Every refusal is a ``VerificationError`` that names the first rule broken.
public final class SignedDataVerifier: Sendable {
  /// How many chains are remembered.
  public static let chainCapacity = 64

  let allowed: AllowedOrigins
  let validator: ChainValidator
  let cache = ChainCache(capacity: SignedDataVerifier.chainCapacity)

  /// - Throws: ``VerificationConfigurationError`` when there is no usable root.
  public init(
    roots: [TrustedRoot], allowed: AllowedOrigins,
    deniedLeafSerials: Set<CertificateSerial> = []
  ) throws(VerificationConfigurationError) {
    self.allowed = allowed
    validator = try ChainValidator(roots: roots, denied: deniedLeafSerials)
  }

  /// How often chains were known, checked and refused since the verifier was made.
  public var chainStatistics: ChainStatistics { cache.statistics }

  /// Whether the chain in the header is known, so that verification is cheap.
  ///
  /// A server that is flooded with forged headers can limit, per sender, how many texts with an
  /// unknown chain it verifies. Costs one comparison of bytes in the usual case.
  public func knowsChain(of jws: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let dot = jws.firstIndex(of: UInt8(ascii: ".")) else { return false }
    return cache.contains(UnsafeBufferPointer(rebasing: jws[..<dot]))
  }
}
