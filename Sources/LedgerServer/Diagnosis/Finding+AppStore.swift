import AppStoreModel
import AppStoreServerAPI
import AppStoreVerification

extension Finding {
  /// How far this machine's clock is from the App Store's.
  ///
  /// Tokens are corrected by what is measured. What Apple signs seems to come from the future to a slow
  /// clock, and over five minutes of that are held back.
  static func clock(_ skew: TimeSpan?, about subject: String) -> Finding {
    guard let skew else {
      return Finding(.clock, .skipped, about: subject, "The App Store's time could not be read.")
    }
    let seconds = abs(skew.milliseconds) / 1_000
    let side = skew.milliseconds < 0 ? "ahead of" : "behind"
    let text = "This machine's clock is \(seconds) s \(side) the App Store's."
    let advice = "Let the clock follow a time server."
    switch seconds {
    case ..<5: return Finding(.clock, .ok, about: subject, text)
    case ..<300: return Finding(.clock, .warning, about: subject, text, advice: advice)
    default: return Finding(.clock, .failed, about: subject, text, advice: advice)
    }
  }

  /// What a refused request for a test notification tells.
  static func refused(_ error: AppStoreServerError, about subject: String) -> Finding {
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
    let end = words.hasSuffix(".") ? "" : "."
    let isWord = words.prefix { $0 != " " }.allSatisfy { $0.isLetter && $0.isLowercase }
    return (isWord ? words.prefix(1).uppercased() + words.dropFirst() : words) + end
  }
}
