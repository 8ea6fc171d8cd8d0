internal import CCrypto

/// A key of the simulated App Store, made from a seed.
///
/// It protects nothing: whoever knows the seed can make it. Never trust its root outside of tests.
package final class PrivateKey: @unchecked Sendable {
  package let curve: Curve
  /// The public key.
  ///
  /// Shape: an uncompressed point, `04` and the two coordinates.
  package let publicPoint: [UInt8]

  // Set once and only read afterwards, which libcrypto allows from many threads.
  let key: OpaquePointer
  let scalar: [UInt8]

  /// The key that a seed and a purpose stand for: the same two always give the same key.
  package init(_ curve: Curve, seed: UInt64, purpose: String) {
    self.curve = curve
    scalar = Self.scalar(curve, seed: seed, purpose: purpose)
    key = Self.load(scalar, curve)
    publicPoint = Self.point(of: key, curve)
  }

  /// A known key, for published test vectors.
  init(_ curve: Curve, scalar: [UInt8]) {
    precondition(scalar.count == curve.byteCount, "a private key is as wide as its curve's order")
    self.curve = curve
    self.scalar = scalar
    key = Self.load(scalar, curve)
    publicPoint = Self.point(of: key, curve)
  }

  deinit { EC_KEY_free(key) }

  /// Signs a message.
  ///
  /// Shape: `r` and `s`, big-endian, each as wide as the curve's order.
  package func sign(_ message: [UInt8], _ digest: Digest) -> [UInt8] {
    let hash = digest.hash(message)
    var nonces = DeterministicNonce(digest, key: scalar, hash: reduced(hash))
    while true {
      if let signature = sign(hash, nonce: nonces.next()) { return signature }
      nonces.reject()
    }
  }

  private func sign(_ hash: [UInt8], nonce: [UInt8]) -> [UInt8]? {
    let group = EC_KEY_get0_group(key)
    let order = EC_GROUP_get0_order(group)
    let context = BN_CTX_new()
    let k = BN_bin2bn(nonce, Int32(nonce.count), nil)
    let x = BN_new()
    let point = EC_POINT_new(group)
    defer {
      EC_POINT_free(point)
      BN_free(x)
      BN_free(k)
      BN_CTX_free(context)
    }
    guard BN_is_zero(k) == 0, BN_cmp(k, order) < 0 else { return nil }
    precondition(
      EC_POINT_mul(group, point, k, nil, nil, context) == 1
        && EC_POINT_get_affine_coordinates(group, point, x, nil, context) == 1
        && BN_nnmod(x, x, order, context) == 1 && BN_mod_inverse(k, k, order, context) != nil,
      "libcrypto could not multiply on the curve")
    let signature = ECDSA_do_sign_ex(hash, Int32(hash.count), k, x, key)
    defer { ECDSA_SIG_free(signature) }
    return signature.map { bytes(ECDSA_SIG_get0_r($0)) + bytes(ECDSA_SIG_get0_s($0)) }
  }

  /// RFC 6979's bits2octets: the leftmost bits of the hash, below the order.
  private func reduced(_ hash: [UInt8]) -> [UInt8] {
    let hash = Array(hash.prefix(curve.byteCount))
    let number = BN_bin2bn(hash, Int32(hash.count), nil)
    defer { BN_free(number) }
    let order = EC_GROUP_get0_order(EC_KEY_get0_group(key))
    if BN_cmp(number, order) >= 0 { BN_sub(number, number, order) }
    return bytes(number)
  }

  private func bytes(_ number: OpaquePointer?) -> [UInt8] {
    Self.bytes(number, curve.byteCount)
  }

  private static func bytes(_ number: OpaquePointer?, _ width: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: width) { buffer, count in
      let written = BN_bn2binpad(number, buffer.baseAddress, Int32(width))
      precondition(written == Int32(width), "a number below the order fits its width")
      count = width
    }
  }
}

extension PrivateKey {
  /// The number that a seed and a purpose stand for, spread evenly over `1..<order`.
  private static func scalar(_ curve: Curve, seed: UInt64, purpose: String) -> [UInt8] {
    let text = Array("clawback simulated App Store, \(purpose), seed \(seed)".utf8)
    var wide = [UInt8](repeating: 0, count: 64)
    SHA512(text, text.count, &wide)
    let group = EC_GROUP_new_by_curve_name(curve.nid)
    let number = BN_bin2bn(wide, 64, nil)
    let limit = BN_dup(EC_GROUP_get0_order(group))
    let context = BN_CTX_new()
    defer {
      BN_CTX_free(context)
      BN_free(limit)
      BN_free(number)
      EC_GROUP_free(group)
    }
    BN_sub_word(limit, 1)
    BN_nnmod(number, number, limit, context)
    BN_add_word(number, 1)
    return bytes(number, curve.byteCount)
  }

  private static func load(_ scalar: [UInt8], _ curve: Curve) -> OpaquePointer {
    guard let key = EC_KEY_new_by_curve_name(curve.nid) else {
      preconditionFailure("libcrypto does not know the curve")
    }
    let group = EC_KEY_get0_group(key)
    let number = BN_bin2bn(scalar, Int32(scalar.count), nil)
    let point = EC_POINT_new(group)
    defer {
      EC_POINT_free(point)
      BN_free(number)
    }
    precondition(
      EC_POINT_mul(group, point, number, nil, nil, nil) == 1
        && EC_KEY_set_private_key(key, number) == 1 && EC_KEY_set_public_key(key, point) == 1,
      "libcrypto could not load a key")
    return key
  }

  private static func point(of key: OpaquePointer, _ curve: Curve) -> [UInt8] {
    let width = 1 + 2 * curve.byteCount
    return [UInt8](unsafeUninitializedCapacity: width) { buffer, count in
      count = EC_POINT_point2oct(
        EC_KEY_get0_group(key), EC_KEY_get0_public_key(key), POINT_CONVERSION_UNCOMPRESSED,
        buffer.baseAddress, width, nil)
      precondition(count == width, "libcrypto could not write a point")
    }
  }
}
