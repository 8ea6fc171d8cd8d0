public import AppStoreModel
public import AppStoreVerification

/// A token that the App Store refused, and what is known about why.
public struct Unauthorized: Hashable, Sendable {
  public enum Cause: Hashable, Sendable {
    /// The sandbox, which takes every good key, refuses it: key, key id, issuer or bundle id is wrong.
    case keyRefused
    /// The sandbox takes it and production does not, as before an app's first release.
    case notReleased
    /// The other environment could not be asked.
    case undetermined
  }

  public let environment: ServerEnvironment
  public let cause: Cause
  /// How far our clock is behind the App Store's, negative when ahead; already corrected for.
  public let skew: TimeSpan

  public init(_ environment: ServerEnvironment, _ cause: Cause, skew: TimeSpan = .zero) {
    self.environment = environment
    self.cause = cause
    self.skew = skew
  }
}

extension Unauthorized {
  /// What the operator should do next.
  public var advice: String {
    switch cause {
    case .keyRefused:
      "Check that the .p8 key is an In-App Purchase key, that key id, issuer id and bundle id "
        + "belong to it, and that it is not revoked."
    case .notReleased:
      "Nothing is wrong with the key. Before an app's first release production knows nobody; "
        + "configure the sandbox alone until then."
    case .undetermined:
      "Check key, key id, issuer id and bundle id; before an app's first release production "
        + "refuses every token."
    }
  }
}

extension Unauthorized: CustomStringConvertible {
  /// Safe to log: no token and no key.
  public var description: String {
    let seconds = skew.milliseconds / 1_000
    let clock = seconds == 0 ? "" : "; our clock is off by \(abs(seconds)) s"
    switch cause {
    case .keyRefused: return "the App Store refuses the key" + clock
    case .notReleased: return "production refuses a key that the sandbox takes" + clock
    case .undetermined: return "\(environment.rawValue) refuses the key" + clock
    }
  }
}
