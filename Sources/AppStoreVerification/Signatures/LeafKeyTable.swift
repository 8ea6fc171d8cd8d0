import CCrypto
import Synchronization

/// Multiples of one key's point, as libcrypto has them for the curve's generator.
///
/// With both tables u1·G + u2·Q needs no doublings, which is most of what a check of a signature
/// costs. Everything here is public, so that nothing needs to take the same time.
///
/// Size: about 150 kB. Source: FIPS 186-5, section 6.4.2.
///
/// `@unchecked Sendable`: libcrypto only reads the groups; what a check writes belongs to it alone.
final class LeafKeyTable: @unchecked Sendable {
  private let curve: OpaquePointer
  /// The same curve with the key's point as its generator.
  private let multiples: OpaquePointer
  private let order: OpaquePointer
  private let idle = Mutex<[PointScratch]>([])

  /// `nil` where libcrypto makes no such tables.
  init?(of key: OpaquePointer) {
    guard let curve = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1),
      let order = EC_GROUP_get0_order(curve), let multiples = EC_GROUP_dup(curve)
    else { return nil }
    self.curve = curve
    self.multiples = multiples
    self.order = order
    let isMade =
      EC_GROUP_set_generator(multiples, EC_KEY_get0_public_key(key), order, BN_value_one()) == 1
      && EC_GROUP_precompute_mult(multiples, nil) == 1
      && EC_GROUP_have_precompute_mult(multiples) == 1
    guard isMade else {
      ERR_clear_error()
      return nil
    }
  }

  deinit {
    EC_GROUP_free(multiples)
    EC_GROUP_free(curve)
  }

  /// Whether `signature` is r and s of a good signature over `digest`.
  ///
  /// - Precondition: `digest` has 32 bytes, `signature` 64.
  func verifies(
    _ signature: UnsafePointer<UInt8>, over digest: UnsafePointer<UInt8>
  ) -> Bool {
    guard let scratch = idle.withLock({ $0.popLast() }) ?? PointScratch(curve) else { return false }
    defer { idle.withLock { $0.append(scratch) } }
    BN_CTX_start(scratch.numbers)
    defer { BN_CTX_end(scratch.numbers) }
    let isGood = verifies(signature, over: digest, on: scratch)
    if !isGood { ERR_clear_error() }
    return isGood
  }

  private func verifies(
    _ signature: UnsafePointer<UInt8>, over digest: UnsafePointer<UInt8>, on scratch: PointScratch
  ) -> Bool {
    let half = LeafKey.signatureSize / 2
    guard let r = number(signature, half, on: scratch), isInRange(r),
      let s = number(signature + half, half, on: scratch), isInRange(s),
      let e = number(digest, LeafKey.digestSize, on: scratch)
    else { return false }
    let numbers = scratch.numbers
    guard BN_mod_inverse(s, s, order, numbers) != nil,
      BN_mod_mul(e, e, s, order, numbers) == 1, BN_mod_mul(s, r, s, order, numbers) == 1,
      let x = sum(of: e, and: s, on: scratch)
    else { return false }
    return BN_cmp(x, r) == 0
  }

  /// The first coordinate of u1·G + u2·Q, reduced by the curve's order; `nil` where the sum is infinite.
  private func sum(
    of u1: OpaquePointer, and u2: OpaquePointer, on scratch: PointScratch
  ) -> OpaquePointer? {
    let (numbers, left, right) = (scratch.numbers, scratch.left, scratch.right)
    guard let x = BN_CTX_get(numbers),
      EC_POINT_mul(curve, left, u1, nil, nil, numbers) == 1,
      EC_POINT_mul(multiples, right, u2, nil, nil, numbers) == 1,
      EC_POINT_add(curve, left, left, right, numbers) == 1,
      EC_POINT_get_affine_coordinates(curve, left, x, nil, numbers) == 1,
      BN_nnmod(x, x, order, numbers) == 1
    else { return nil }
    return x
  }

  private func number(
    _ bytes: UnsafePointer<UInt8>, _ count: Int, on scratch: PointScratch
  ) -> OpaquePointer? {
    guard let number = BN_CTX_get(scratch.numbers) else { return nil }
    return BN_bin2bn(bytes, Int32(count), number)
  }

  private func isInRange(_ number: OpaquePointer) -> Bool {
    BN_is_zero(number) == 0 && BN_cmp(number, order) < 0
  }
}
