import CCrypto

/// What one check of a signature writes to; used again by the next.
///
/// `@unchecked Sendable`: one check at a time has it.
final class PointScratch: @unchecked Sendable {
  let numbers: OpaquePointer
  let left: OpaquePointer
  let right: OpaquePointer

  init?(_ curve: OpaquePointer) {
    guard let numbers = BN_CTX_new() else { return nil }
    guard let left = EC_POINT_new(curve) else {
      BN_CTX_free(numbers)
      return nil
    }
    guard let right = EC_POINT_new(curve) else {
      BN_CTX_free(numbers)
      EC_POINT_free(left)
      return nil
    }
    self.numbers = numbers
    self.left = left
    self.right = right
  }

  deinit {
    EC_POINT_free(right)
    EC_POINT_free(left)
    BN_CTX_free(numbers)
  }
}
