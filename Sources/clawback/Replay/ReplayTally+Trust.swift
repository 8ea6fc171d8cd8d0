import AppStoreVerification

extension ReplayTally.Counts {
  /// How many lines another root than the trusted one vouches for.
  var foreign: Int { quarantined[VerificationRule.chainPath.rawValue] ?? 0 }

  /// Whether nothing at all was signed under the trusted root.
  var provesNothing: Bool {
    read > 0 && stored + repeated == 0
      && quarantined.keys.allSatisfy { reason in
        reason == VerificationRule.chainPath.rawValue || reason.hasPrefix("form.")
      }
  }
}
