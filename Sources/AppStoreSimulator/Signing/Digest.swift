internal import CCrypto

/// The hash functions that sign here.
package enum Digest: Hashable, Sendable {
  case sha256
  case sha384

  var byteCount: Int { self == .sha256 ? 32 : 48 }

  /// ecdsa-with-SHA256 or ecdsa-with-SHA384.
  ///
  /// Shape: an object identifier in dotted form.
  var ecdsaObjectIdentifier: String {
    self == .sha256 ? "1.2.840.10045.4.3.2" : "1.2.840.10045.4.3.3"
  }

  package func hash(_ bytes: [UInt8]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, count in
      _ =
        self == .sha256
        ? SHA256(bytes, bytes.count, buffer.baseAddress)
        : SHA384(bytes, bytes.count, buffer.baseAddress)
      count = byteCount
    }
  }

  package func authenticate(_ bytes: [UInt8], key: [UInt8]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, count in
      let function = self == .sha256 ? EVP_sha256() : EVP_sha384()
      let result = HMAC(
        function, key, Int32(key.count), bytes, bytes.count, buffer.baseAddress, nil)
      precondition(result != nil, "libcrypto could not authenticate a message")
      count = byteCount
    }
  }
}
