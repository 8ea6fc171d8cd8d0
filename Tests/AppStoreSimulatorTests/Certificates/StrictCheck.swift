import CCrypto

/// What libcrypto says of a chain when it takes every rule of RFC 5280 seriously.
enum StrictCheck {
  /// A chain of leaf, intermediate and root, trusting that root: `ok` or libcrypto's own words.
  static func verdict(_ chain: [[UInt8]]) -> String {
    let certificates = chain.map(parsed)
    let store = X509_STORE_new()
    let others = OPENSSL_sk_new_null()
    let context = X509_STORE_CTX_new()
    defer {
      X509_STORE_CTX_free(context)
      OPENSSL_sk_free(others)
      X509_STORE_free(store)
      certificates.forEach { X509_free($0) }
    }
    X509_STORE_add_cert(store, certificates[2])
    OPENSSL_sk_push(others, certificates[1].map { UnsafeRawPointer($0) })
    X509_STORE_CTX_init(context, store, certificates[0], others)
    X509_VERIFY_PARAM_set_flags(
      X509_STORE_CTX_get0_param(context), UInt(X509_V_FLAG_X509_STRICT))
    // 2026-01-01T00:00:00Z
    X509_VERIFY_PARAM_set_time(X509_STORE_CTX_get0_param(context), 1_767_225_600)
    X509_verify_cert(context)
    let code = X509_STORE_CTX_get_error(context)
    return String(cString: X509_verify_cert_error_string(Int(code)))
  }

  /// The object identifiers of a certificate's extensions, in dotted form.
  static func extensions(of der: [UInt8]) -> [String] {
    let certificate = parsed(der)
    defer { X509_free(certificate) }
    return (0..<X509_get_ext_count(certificate)).map { index in
      let object = X509_EXTENSION_get_object(X509_get_ext(certificate, index))
      var text = [CChar](repeating: 0, count: 128)
      OBJ_obj2txt(&text, 128, object, 1)
      return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
  }

  private static func parsed(_ der: [UInt8]) -> OpaquePointer? {
    der.withUnsafeBufferPointer { bytes in
      var cursor = bytes.baseAddress
      return d2i_X509(nil, &cursor, bytes.count)
    }
  }
}
