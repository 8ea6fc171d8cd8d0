/// The certificate extensions, in dotted form, that tell what a certificate may vouch for.
///
/// Only their presence counts; the value is an ASN.1 NULL and no one reads it.
enum CertificateMarker {
  /// On the certificate that signs purchases.
  static let leaf = "1.2.840.113635.100.6.11.1"
  /// On the authority that issues the certificate above.
  static let intermediate = "1.2.840.113635.100.6.2.1"
}
