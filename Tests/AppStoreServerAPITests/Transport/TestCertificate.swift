import CCrypto
import HTTPListener

/// A self-signed certificate for 127.0.0.1, made for one run.
struct TestCertificate {
  let pem: [UInt8]
  let identity: TLSIdentity

  init() {
    let key = TestKey("P-256")
    let certificate = X509_new()
    defer { X509_free(certificate) }
    X509_set_version(certificate, 2)
    ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1)
    X509_gmtime_adj(X509_getm_notBefore(certificate), -3_600)
    X509_gmtime_adj(X509_getm_notAfter(certificate), 3_600)
    let name = X509_get_subject_name(certificate)
    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_FLAG | 1, "127.0.0.1", -1, -1, 0)
    X509_set_issuer_name(certificate, name)
    for (kind, value) in [
      (NID_subject_alt_name, "IP:127.0.0.1"), (NID_basic_constraints, "critical,CA:TRUE"),
    ] {
      let known = X509V3_EXT_conf_nid(nil, nil, kind, value)
      X509_add_ext(certificate, known, -1)
      X509_EXTENSION_free(known)
    }
    key.sign(certificate)
    let file = BIO_new(BIO_s_mem())
    defer { BIO_free(file) }
    PEM_write_bio_X509(file, certificate)
    var text = [UInt8](repeating: 0, count: 4_096)
    let count = BIO_read(file, &text, Int32(text.count))
    pem = Array(text.prefix(Int(count)))
    identity = TLSIdentity(certificate: pem, key: key.p8())
  }
}
