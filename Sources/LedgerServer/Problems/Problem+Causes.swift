import AppStoreVerification
import LedgerStorage

extension Problem {
  /// What a failure of the store means for a client: the one place that picks the status.
  init(_ error: StoreError) {
    switch error {
    case .busy: self.init(.overloaded)
    case .closed, .unlinked, .full, .unavailable: self.init(.storeUnavailable)
    case .damaged, .inconsistent: self.init(.internalError)
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
