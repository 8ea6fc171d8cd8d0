import AppStoreModel
import AppStoreVerification
import Synchronization

extension AppStoreServerClient {
  /// How long a verdict spares the App Store the same questions.
  private static let verdictLifetime = TimeSpan.minutes(5)

  func verdict(on environment: ServerEnvironment) -> Unauthorized? {
    let now = clock.now()
    return verdicts.withLock { verdicts in
      guard let verdict = verdicts[environment],
        now < verdict.foundAt.adding(Self.verdictLifetime)
      else { return nil }
      return verdict.unauthorized
    }
  }

  func forgetVerdict(on environment: ServerEnvironment) {
    verdicts.withLock { _ = $0.removeValue(forKey: environment) }
  }

  /// Why a fresh token was refused.
  ///
  /// Production refuses every key of an app that was never released, with the same answer as a wrong
  /// key; the sandbox takes every good key. So the sandbox is asked for a transaction that cannot be.
  func judgeKey(_ environment: ServerEnvironment) async -> Unauthorized {
    if let known = verdict(on: environment) { return known }
    let cause = environment == .sandbox ? .keyRefused : await causeOfRefusal()
    let unauthorized = Unauthorized(environment, cause, skew: mint.skew)
    let now = clock.now()
    if cause != .undetermined {
      verdicts.withLock { $0[environment] = Verdict(unauthorized: unauthorized, foundAt: now) }
    }
    return unauthorized
  }

  private func causeOfRefusal() async -> Unauthorized.Cause {
    let question = APIRequest(.transactionInfo, ["inApps", "v1", "transactions", "0"])
    let options = CallOptions(.sandbox, urgency: .urgent, patience: .seconds(30))
    do throws(AppStoreServerError) {
      try await tell(question, options)
      return .notReleased
    } catch {
      switch error {
      case .unauthorized: return .keyRefused
      case .refused(let refusal): return refusal.status < 500 ? .notReleased : .undetermined
      default: return .undetermined
      }
    }
  }
}
