import AppStoreServerAPI

extension Finding {
  /// What a refusal means where the configuration names another address than Apple's: no Apple and no
  /// proxy are to be looked for there.
  ///
  /// - Returns: `nil` for what means the same everywhere.
  static func refused(
    _ error: AppStoreServerError, about subject: String, byStoreAt base: String
  ) -> Finding? {
    switch error {
    case .unreachable(let failure):
      return Finding(
        .address, .failed, about: subject, sentence("nobody answers at \(base): \(failure)"),
        advice: otherStoreAdvice)
    case .unexpectedStatus, .unreadableAnswer:
      return Finding(
        .address, .failed, about: subject,
        sentence("what answers at \(base) is no App Store: \(error)"), advice: otherStoreAdvice)
    case .refused(let refusal) where refusal.code == .serverNotificationUrlNotFound:
      return Finding(
        .testNotification, .failed, about: subject,
        "The App Store at \(base) has no URL for this environment's notifications.",
        advice: "Start it with --to and this server's address followed by /apple/notifications.")
    default: return nil
    }
  }

  private static let otherStoreAdvice =
    "appStoreServerAPI of the configuration names this address. Start the simulated App Store there "
    + "('clawback simulate SCENARIO --port N'), correct the address, or leave the setting out."
}
