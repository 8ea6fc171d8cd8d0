/// Ways in which a notification is not what the App Store would send, one spoiled thing each.
package enum Forgery: String, Hashable, Sendable, CaseIterable {
  /// A root that looks the same and has another key.
  case otherRoot
  case leafWithoutMarker
  case intermediateWithoutMarker
  case twoCertificates
  case fourCertificates
  case noCertificates
  /// The leaf had expired before the stated date.
  case expiredLeaf
  case algorithmNone
  case algorithmHS256
  case algorithmES384
  /// One byte of the payload was changed after it was signed.
  case alteredPayload
  /// The right numbers in the form that certificates use.
  case derSignature
  case emptySignature
  /// Signed by whoever asks: Xcode's environment, one certificate.
  case xcode
  /// The inner transaction is of another app.
  case otherBundle
  /// The renewal belongs to another chain.
  case otherRenewal
  /// Data of the other environment.
  case otherEnvironment
  /// Signed a day ahead.
  case futureDate
  /// Ten megabytes.
  case hugeBody

  /// Whether whoever takes it has not checked enough.
  ///
  /// A date ahead is no forgery by itself: a receiver may keep such a notification until its time. And
  /// data of the other environment is right for a receiver that takes both and keeps them apart.
  package var mustBeRefused: Bool { self != .futureDate && self != .otherEnvironment }
}
