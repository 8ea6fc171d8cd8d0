public import AppStoreModel

/// An environment whose data Apple signs, so that a server can accept it.
///
/// Xcode and local testing are missing on purpose: their data carries no proof.
public enum ServerEnvironment: String, CaseIterable, Hashable, Sendable {
  case production = "Production"
  case sandbox = "Sandbox"

  /// Reads what an operator wrote.
  ///
  /// - Throws: ``VerificationConfigurationError/unprovableEnvironment(_:)`` for any other word.
  public init(configured word: String) throws(VerificationConfigurationError) {
    guard let environment = ServerEnvironment(rawValue: word) else {
      throw .unprovableEnvironment(word)
    }
    self = environment
  }
}

extension ServerEnvironment {
  public init?(_ environment: AppStoreEnvironment) {
    self.init(rawValue: environment.rawValue)
  }

  public var model: AppStoreEnvironment {
    AppStoreEnvironment(rawValue: rawValue)
  }
}
