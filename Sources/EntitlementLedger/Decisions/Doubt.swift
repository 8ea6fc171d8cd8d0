/// Why Apple is to be asked about a chain: transaction info of every known transaction, and statuses.
///
/// Asked now, and again fifteen minutes later while the doubt remains.
public enum Doubt: String, Hashable, Sendable, CaseIterable {
  /// Different statements were signed at the same moment.
  case equalClocks
  /// Apple's status and the periods do not fit together.
  case statusAtOdds
  /// A status 5 was set aside because something else explains it.
  case statusExplained
  /// A newer copy shows no revocation, but did not come from Apple's API.
  case cleanCopy
  /// A reversal was told within the lag of a copy from Apple's API that still shows the revocation.
  case reversalUnsettled
  /// A REFUND or REVOKE arrived whose transaction shows no date.
  case revocationWithoutDate
  /// Apple named a status that we do not know.
  case unknownStatus
  /// A renewal is due and was not seen.
  case renewalAwaited
}
