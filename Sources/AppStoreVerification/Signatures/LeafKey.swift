import CCrypto
import Synchronization

/// The public key of a signing certificate, on the curve P-256.
///
/// `@unchecked Sendable`: libcrypto only reads it, from any number of threads.
final class LeafKey: @unchecked Sendable {
  static let signatureSize = 64
  static let digestSize = 32
  /// Good signatures after which a table is made: about as many as it takes to win its cost back.
  static let usesBeforeTable = 1_000

  let handle: OpaquePointer
  private let uses = Atomic<Int>(0)
  private let table = AtomicLazyReference<LeafKeyTable>()

  convenience init?(of certificate: Certificate) {
    guard let key = X509_get0_pubkey(certificate.handle), EVP_PKEY_get_base_id(key) == EVP_PKEY_EC,
      let handle = EVP_PKEY_get1_EC_KEY(key)
    else {
      ERR_clear_error()
      return nil
    }
    self.init(taking: handle)
  }

  /// Takes a key of libcrypto over, and frees it.
  init?(taking handle: OpaquePointer) {
    guard EC_GROUP_get_curve_name(EC_KEY_get0_group(handle)) == NID_X9_62_prime256v1 else {
      EC_KEY_free(handle)
      return nil
    }
    self.handle = handle
  }

  deinit {
    EC_KEY_free(handle)
  }

  /// Whether `signature` is r and s of a good signature over `digest`.
  ///
  /// A table's yes is enough; its no is asked again, so that it can refuse nothing that is genuine.
  ///
  /// - Precondition: `digest` has 32 bytes, `signature` 64.
  func verifies(
    _ signature: UnsafePointer<UInt8>, over digest: UnsafePointer<UInt8>
  ) -> Bool {
    let table = table.load()
    if let table, table.verifies(signature, over: digest) { return true }
    guard verifiesWithoutTable(signature, over: digest) else { return false }
    if table == nil { countUse() }
    return true
  }

  /// Makes the table of the key's multiples, unless there is one: some 15 ms of one core.
  func prepareTable() {
    guard table.load() == nil, let made = LeafKeyTable(of: handle) else { return }
    _ = table.storeIfNil(made)
  }

  var hasTable: Bool { table.load() != nil }

  private func countUse() {
    guard uses.wrappingAdd(1, ordering: .relaxed).newValue == Self.usesBeforeTable else { return }
    // Whoever sent the signature does not wait for it.
    Task.detached { self.prepareTable() }
  }

  func verifiesWithoutTable(
    _ signature: UnsafePointer<UInt8>, over digest: UnsafePointer<UInt8>
  ) -> Bool {
    guard let pair = ECDSA_SIG_new() else { return false }
    defer { ECDSA_SIG_free(pair) }
    let half = Int32(Self.signatureSize / 2)
    let r = BN_bin2bn(signature, half, nil)
    let s = BN_bin2bn(signature + Int(half), half, nil)
    guard ECDSA_SIG_set0(pair, r, s) == 1 else {
      BN_free(r)
      BN_free(s)
      return false
    }
    if ECDSA_do_verify(digest, Int32(Self.digestSize), pair, handle) == 1 { return true }
    ERR_clear_error()
    return false
  }
}
