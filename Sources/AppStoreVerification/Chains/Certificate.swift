import AppStoreModel
import CCrypto

/// A parsed X.509 certificate.
///
/// `@unchecked Sendable`: libcrypto only reads it after `init`, which computes what it caches.
final class Certificate: @unchecked Sendable {
  let handle: OpaquePointer
  private let flags: UInt32

  /// Takes one certificate in DER form with nothing after it.
  init?(der: [UInt8]) {
    let parsed = der.withUnsafeBufferPointer { buffer -> OpaquePointer? in
      var position = buffer.baseAddress
      guard let parsed = d2i_X509(nil, &position, buffer.count) else { return nil }
      guard position == buffer.baseAddress.map({ $0 + buffer.count }) else {
        X509_free(parsed)
        return nil
      }
      return parsed
    }
    guard let parsed else {
      ERR_clear_error()
      return nil
    }
    handle = parsed
    flags = X509_get_extension_flags(parsed)
    // A broken extension leaves a note that must not show up in somebody else's call.
    ERR_clear_error()
  }

  deinit {
    X509_free(handle)
  }
}

extension Certificate {
  var isSelfIssued: Bool {
    X509_NAME_cmp(X509_get_subject_name(handle), X509_get_issuer_name(handle)) == 0
  }

  /// Whether basicConstraints says so; a version 1 certificate is none.
  var isAuthority: Bool {
    flags & UInt32(EXFLAG_BCONS) != 0 && flags & UInt32(EXFLAG_CA) != 0
  }

  var isWellFormed: Bool {
    flags & UInt32(EXFLAG_INVALID) == 0
  }

  /// Whether keyUsage allows it, or says nothing.
  func mayBeUsed(for usage: Int32) -> Bool {
    X509_get_key_usage(handle) & UInt32(usage) != 0
  }

  func has(_ extension: ObjectIdentifierHandle) -> Bool {
    X509_get_ext_by_OBJ(handle, `extension`.pointer, -1) >= 0
  }

  var serial: CertificateSerial {
    guard let number = ASN1_INTEGER_to_BN(X509_get0_serialNumber(handle), nil) else {
      ERR_clear_error()
      return CertificateSerial(digits: "")
    }
    defer { BN_free(number) }
    guard let text = BN_bn2hex(number) else { return CertificateSerial(digits: "") }
    defer { CRYPTO_free(text, #file, #line) }
    return CertificateSerial(digits: String(cString: text))
  }

  /// `nil` when a date cannot be read.
  var validity: ClosedRange<Timestamp>? {
    guard let begin = Self.seconds(X509_get0_notBefore(handle)),
      let end = Self.seconds(X509_get0_notAfter(handle)), begin <= end
    else { return nil }
    // The last second belongs to the validity as a whole (RFC 5280, section 4.1.2.5).
    return Timestamp(
      millisecondsSince1970: begin * 1_000)...Timestamp(
        millisecondsSince1970: end * 1_000 + 999)
  }

  private static func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64? {
    let epoch = ASN1_TIME_set(nil, 0)
    defer { ASN1_STRING_free(epoch) }
    var days: Int32 = 0
    var seconds: Int32 = 0
    guard let time, ASN1_TIME_diff(&days, &seconds, epoch, time) == 1 else {
      ERR_clear_error()
      return nil
    }
    return Int64(days) * 86_400 + Int64(seconds)
  }
}
