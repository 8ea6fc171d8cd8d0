import AppStoreVerification
import LedgerStorage

extension Problem {
  /// What a failure of the store means for a client: the one place that picks the status.
  init(_ error: StoreError) {
    switch error {
    case .busy: self = Problem(.overloaded)
    case .closed, .unlinked, .full, .unavailable:
      self = Problem(.storeUnavailable).caused(by: error.description)
    case .damaged, .inconsistent: self = Problem(.internalError).caused(by: error.description)
    }
  }

  /// What a refusal of the verifier means for who posted it.
  init(_ error: VerificationError) {
    switch error.cause {
    case .appID, .bundleID, .environment:
      self.init(.wrongOrigin, error.description + ".", rule: error.rule)
    default: self.init(.notVerified, error.description + ".", rule: error.rule)
    }
  }
}
