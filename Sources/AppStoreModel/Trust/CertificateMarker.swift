/// The certificate extensions that tell what a certificate may vouch for, in dotted form.
///
/// Only their presence counts; the value is an ASN.1 NULL and no one reads it.
package enum CertificateMarker {
  /// On the certificate that signs purchases.
  package static let leaf = "1.2.840.113635.100.6.11.1"
  /// On the authority that issues the certificate above.
  package static let intermediate = "1.2.840.113635.100.6.2.1"
  /// On every certificate of a simulated App Store, so that the `apple` realm refuses it.
  ///
  /// Shape: an identifier of this project's own, from the arc that anyone may use with a UUID.
  /// Never critical, so that other verifiers pass over it.
  ///
  /// Source: ITU-T X.667.
  package static let simulated = "2.25.46352645180196770009140851163156625132"
}
