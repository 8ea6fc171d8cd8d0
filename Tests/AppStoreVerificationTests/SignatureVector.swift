import CCrypto

@testable import AppStoreVerification

/// A key, a digest, and what claims to be a signature over it.
struct SignatureVector {
  let key: LeafKey
  var digest: [UInt8]
  var signature: [UInt8]

  init(_ key: LeafKey, digest: [UInt8], r: [UInt8], s: [UInt8]) {
    self.key = key
    self.digest = digest
    signature = r + s
  }

  /// What `secret` signs with the nonce given.
  init?(secret: CurveNumber, nonce: CurveNumber, digest: [UInt8]) {
    guard let key = Self.key(secret) else { return nil }
    let r = nonce.firstCoordinate
    let s = (CurveNumber(bytes: digest) + r * secret) * nonce.inverse
    self.init(key, digest: digest, r: r.bytes, s: s.bytes)
  }

  static func key(_ secret: CurveNumber) -> LeafKey? {
    let point = EC_POINT_new(CurveNumber.curve)
    defer { EC_POINT_free(point) }
    EC_POINT_mul(CurveNumber.curve, point, secret.value, nil, nil, nil)
    return key(point)
  }

  /// The key whose public point is given.
  static func key(_ point: OpaquePointer?) -> LeafKey? {
    guard let handle = EC_KEY_new_by_curve_name(NID_X9_62_prime256v1) else { return nil }
    EC_KEY_set_public_key(handle, point)
    return LeafKey(taking: handle)
  }

  /// A good signature whose r came out of a coordinate above the order: one in 2¹²⁸ does.
  ///
  /// No nonce for it is known, so that it is the key which is chosen: Q = r⁻¹·(s·R − e·G).
  static func coordinateAboveOrder() -> SignatureVector? {
    let curve = CurveNumber.curve
    let (point, x) = (EC_POINT_new(curve), BN_dup(CurveNumber.order))
    defer {
      EC_POINT_free(point)
      BN_free(x)
    }
    var r: UInt = 0
    repeat {
      r += 1
      BN_add_word(x, 1)
    } while EC_POINT_set_compressed_coordinates(curve, point, x, 0, nil) != 1
    ERR_clear_error()
    let (s, e) = (CurveNumber(5), CurveNumber(7))
    let inverse = CurveNumber(r).inverse
    let (ofGenerator, ofPoint) = (e.negative * inverse, s * inverse)
    _ = withExtendedLifetime((ofGenerator, ofPoint)) {
      EC_POINT_mul(curve, point, ofGenerator.value, point, ofPoint.value, nil)
    }
    return key(point).map {
      SignatureVector($0, digest: e.bytes, r: CurveNumber(r).bytes, s: s.bytes)
    }
  }
}
