import CCrypto

/// A number below the order of P-256, and what vectors for the edges of ECDSA are computed with.
///
/// `@unchecked Sendable`: it is written to only while it is made, as the curve is.
final class CurveNumber: @unchecked Sendable {
  nonisolated(unsafe) static let curve = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1)
  nonisolated(unsafe) static let order = EC_GROUP_get0_order(curve)

  let value: OpaquePointer? = BN_new()

  init(_ word: UInt) { BN_set_word(value, word) }

  init(bytes: [UInt8]) {
    BN_bin2bn(bytes, Int32(bytes.count), value)
    Self.withScratch { BN_nnmod(value, value, Self.order, $0) }
  }

  deinit { BN_free(value) }

  /// The order, and the sum of the order and r of a signature.
  static func orderBytes(plus signature: [UInt8] = []) -> [UInt8] {
    let sum = BN_bin2bn(signature, Int32(min(32, signature.count)), nil)
    defer { BN_free(sum) }
    BN_add(sum, sum, order)
    var bytes = [UInt8](repeating: 0, count: 32)
    BN_bn2binpad(sum, &bytes, 32)
    return bytes
  }

  /// 32 bytes, big-endian.
  var bytes: [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 32)
    BN_bn2binpad(value, &bytes, 32)
    return bytes
  }

  var negative: CurveNumber {
    let result = CurveNumber(0)
    Self.withScratch { BN_mod_sub(result.value, result.value, value, Self.order, $0) }
    return result
  }

  var inverse: CurveNumber {
    let result = CurveNumber(0)
    Self.withScratch { BN_mod_inverse(result.value, value, Self.order, $0) }
    return result
  }

  static func + (left: CurveNumber, right: CurveNumber) -> CurveNumber {
    let result = CurveNumber(0)
    withScratch { BN_mod_add(result.value, left.value, right.value, order, $0) }
    return result
  }

  static func * (left: CurveNumber, right: CurveNumber) -> CurveNumber {
    let result = CurveNumber(0)
    withScratch { BN_mod_mul(result.value, left.value, right.value, order, $0) }
    return result
  }

  @discardableResult
  private static func withScratch<Result>(_ body: (OpaquePointer?) -> Result) -> Result {
    let scratch = BN_CTX_new()
    defer { BN_CTX_free(scratch) }
    return body(scratch)
  }

  /// The first coordinate of this many times the generator, reduced.
  var firstCoordinate: CurveNumber {
    let (point, x) = (EC_POINT_new(Self.curve), CurveNumber(0))
    defer { EC_POINT_free(point) }
    EC_POINT_mul(Self.curve, point, value, nil, nil, nil)
    EC_POINT_get_affine_coordinates(Self.curve, point, x.value, nil, nil)
    Self.withScratch { BN_nnmod(x.value, x.value, Self.order, $0) }
    return x
  }
}
