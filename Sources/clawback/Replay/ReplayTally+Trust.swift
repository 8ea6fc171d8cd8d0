import AppStoreVerification

extension ReplayTally.Counts {
  /// How many lines another root than the trusted one vouches for.
  var foreign: Int { quarantined[VerificationRule.chainPath.rawValue] ?? 0 }

  /// Whether nothing that was new had been signed under the trusted root.
  ///
  /// What is refused twice counts as repeated too, so that repeats prove nothing.
  var provesNothing: Bool {
    stored == 0
      && quarantined.keys.allSatisfy { reason in
        reason == VerificationRule.chainPath.rawValue || reason.hasPrefix("form.")
      }
  }
}
