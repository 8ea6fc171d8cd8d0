public import AppStoreModel
public import AppStoreVerification

/// An answer, and which environment gave it.
public struct Located<Answer: Sendable>: Sendable {
  public let answer: Answer
  public let environment: ServerEnvironment
}

extension AppStoreServer {
  /// Asks production, and the sandbox if production does not know the id or the app.
  ///
  /// Apple says to look up an id of unknown origin so. An app before its first release is refused by
  /// production, and what its testers bought is in the sandbox.
  ///
  /// Errors: ``AppStoreServerError/unknownTransaction`` when neither knows the id; what production
  /// said when it refuses the app and the sandbox does not know the id either, because then nobody
  /// could look; any other error as it came, from whichever gave it.
  public func inEitherEnvironment<Answer: Sendable>(
    urgency: Urgency = .normal, patience: TimeSpan = .minutes(2),
    _ ask: (CallOptions) async throws(AppStoreServerError) -> Answer
  ) async throws(AppStoreServerError) -> Located<Answer> {
    let refusal: AppStoreServerError
    do throws(AppStoreServerError) {
      let options = CallOptions(.production, urgency: urgency, patience: patience)
      return Located(answer: try await ask(options), environment: .production)
    } catch {
      guard error.leadsToSandbox else { throw error }
      refusal = error
    }
    do throws(AppStoreServerError) {
      let options = CallOptions(.sandbox, urgency: urgency, patience: patience)
      return Located(answer: try await ask(options), environment: .sandbox)
    } catch {
      guard error.code?.isNotFound == true else { throw error }
      throw refusal.code == nil ? refusal : .unknownTransaction
    }
  }

  /// The newest copy of a transaction of unknown origin.
  ///
  /// Errors: those of ``inEitherEnvironment(urgency:patience:_:)``.
  public func locateTransaction(
    _ transactionId: String, urgency: Urgency = .normal, patience: TimeSpan = .minutes(2)
  ) async throws(AppStoreServerError) -> Located<UnverifiedJWS> {
    try await inEitherEnvironment(urgency: urgency, patience: patience) {
      (options) async throws(AppStoreServerError) in
      try await transactionInfo(transactionId, options)
    }
  }
}

extension AppStoreServerError {
  fileprivate var leadsToSandbox: Bool {
    switch self {
    case .unauthorized(let detail): detail.cause == .notReleased
    default: code?.isNotFound == true
    }
  }
}
