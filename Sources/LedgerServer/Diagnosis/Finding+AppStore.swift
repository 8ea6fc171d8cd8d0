import AppStoreModel
import AppStoreServerAPI
import AppStoreVerification

extension Finding {
  /// How far this machine's clock is from the App Store's.
  ///
  /// Tokens are corrected by what is measured. What Apple signs seems to come from the future to a slow
  /// clock, and over five minutes of that are held back.
  ///
  /// - Parameters:
  ///   - skew: How far our clock is behind, by the store's answers.
  ///   - lead: How much later than now its test notification says it was signed; `nil` without one.
  ///   - subject: The app and environment.
  /// - Returns: One finding; the journey of a simulated store goes before a clock of ours.
  static func clock(
    _ skew: TimeSpan?, lead: TimeSpan? = nil, about subject: String
  ) -> Finding {
    if let lead, lead >= (skew ?? .zero).adding(.minutes(5)) {
      return travelled(by: lead, about: subject)
    }
    guard let skew else {
      return Finding(.clock, .skipped, about: subject, "The App Store's time could not be read.")
    }
    let seconds = skew.milliseconds.magnitude / 1_000
    let side = skew.milliseconds < 0 ? "ahead of" : "behind"
    let text = "This machine's clock is \(seconds) s \(side) the App Store's."
    let advice = "Let the clock follow a time server."
    switch seconds {
    case ..<5: return Finding(.clock, .ok, about: subject, text)
    case ..<300: return Finding(.clock, .warning, about: subject, text, advice: advice)
    default: return Finding(.clock, .failed, about: subject, text, advice: advice)
    }
  }

  /// Its answers are of now, and what it signs is not: only a simulated App Store can do that.
  private static func travelled(by lead: TimeSpan, about subject: String) -> Finding {
    let hours = lead.milliseconds / 3_600_000
    let distance =
      hours < 48 ? "\(lead.milliseconds / 60_000) minutes" : "\(hours / 24) days"
    return Finding(
      .clock, .failed, about: subject,
      "The App Store has travelled in time: what it signs is dated \(distance) from now.",
      advice:
        "A server on real time takes that for the future. Start the simulated App Store anew, or "
        + "look only at what the server held before it travelled.")
  }

  /// What a refused request for a test notification tells.
  ///
  /// - Parameters:
  ///   - error: The refusal.
  ///   - subject: The app and environment.
  ///   - base: The address that the configuration names in place of Apple's; `nil` for Apple's own.
  /// - Returns: A failure, or a warning where nothing is wrong with the set-up.
  static func refused(
    _ error: AppStoreServerError, about subject: String, at base: String? = nil
  ) -> Finding {
    if let finding = base.flatMap({ refused(error, about: subject, byStoreAt: $0) }) {
      return finding
    }
    switch error {
    case .unauthorized(let detail):
      let level: Level = detail.cause == .notReleased ? .warning : .failed
      return Finding(
        .authorization, level, about: subject, sentence(detail.description), advice: detail.advice)
    case .refused(let refusal) where refusal.code == .serverNotificationUrlNotFound:
      return Finding(
        .testNotification, .failed, about: subject,
        "App Store Connect has no URL for this environment's notifications.",
        advice: "Enter https://YOUR-HOST/apple/notifications under App Information, App Store "
          + "Server Notifications, version 2.")
    case .unreachable(let failure):
      return Finding(
        .address, .failed, about: subject, sentence(failure.description), advice: failure.advice)
    default:
      return Finding(
        .authorization, .failed, about: subject, sentence(error.description), advice: error.advice)
    }
  }

  /// Words as a sentence of their own; a name at their beginning, such as a file's, stays as it is.
  package static func sentence(_ words: String) -> String {
    let end = words.last.map { ".!?".contains($0) } == true ? "" : "."
    let isWord = words.prefix { $0 != " " }.allSatisfy { $0.isLetter && $0.isLowercase }
    return (isWord ? words.prefix(1).uppercased() + words.dropFirst() : words) + end
  }
}
