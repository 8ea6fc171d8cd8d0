import AppStoreModel
import Glibc

/// Three certificates that were found good, except for the date, which each JWS brings anew.
final class SigningChain: Sendable {
  let header: SignedText.Header
  let signer: Signer
  let key: LeafKey
  /// SHA-256 after the header segment and its dot: a quarter to three quarters of every text.
  private let prefix: SHA256Digest

  init(header: SignedText.Header, signer: Signer, key: LeafKey) {
    self.header = header
    self.signer = signer
    self.key = key
    var prefix = SHA256Digest()
    header.segment.withUnsafeBufferPointer { prefix.update($0) }
    [UInt8(ascii: ".")].withUnsafeBufferPointer { prefix.update($0) }
    self.prefix = prefix
  }

  /// Whether `segment` is the header that this chain was found in.
  func matches(_ segment: UnsafeBufferPointer<UInt8>) -> Bool {
    header.segment.withUnsafeBufferPointer { own in
      guard own.count == segment.count, let left = own.baseAddress, let right = segment.baseAddress
      else { return false }
      return memcmp(left, right, own.count) == 0
    }
  }

  /// Which date rule the chain breaks at `moment`.
  func dateRuleBroken(at moment: Timestamp) -> VerificationRule? {
    if moment < signer.validFrom { return .datesNotYetValid }
    if moment > signer.validUntil { return .datesExpired }
    return nil
  }

  /// Whether `signature` was made by the leaf over the header and `payload`, both as segments.
  func signed(_ payload: UnsafeBufferPointer<UInt8>, with signature: [UInt8]) -> Bool {
    guard signature.count == LeafKey.signatureSize else { return false }
    var digest = prefix
    digest.update(payload)
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: LeafKey.digestSize) { hash in
      signature.withUnsafeBufferPointer { signature in
        guard let hash = hash.baseAddress, let signature = signature.baseAddress else {
          return false
        }
        digest.finish(into: hash)
        return key.verifies(signature, over: hash)
      }
    }
  }
}
