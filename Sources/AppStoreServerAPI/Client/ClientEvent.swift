public import AppStoreModel
public import AppStoreVerification

/// What a client did besides answering, for the log.
public struct ClientEvent: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    /// An attempt failed, and another follows after a rest.
    case repeating(AppStoreServerError, rest: TimeSpan)
    /// The App Store limits us: nobody asks this endpoint until then.
    case paused(until: Timestamp)
    /// A token was refused, and a fresh one was made.
    case tokenRenewed
    /// Our clock is off by this much, negative when it is ahead; tokens are corrected.
    case clockCorrected(TimeSpan)
    /// The call was given up.
    case failed(AppStoreServerError)
  }

  public let bundleId: String
  public let endpoint: Endpoint
  public let environment: ServerEnvironment
  public let kind: Kind
}

extension ClientEvent: CustomStringConvertible {
  /// Safe to log: no token, no key, no id of a customer or a transaction.
  public var description: String {
    "\(bundleId) \(environment.rawValue) \(endpoint.rawValue): \(kind)"
  }
}

extension ClientEvent.Kind: CustomStringConvertible {
  public var description: String {
    switch self {
    case .repeating(let error, let rest): "again in \(rest.milliseconds) ms, because \(error)"
    case .paused(let until): "paused until \(until.rfc3339)"
    case .tokenRenewed: "token refused, fresh one made"
    case .clockCorrected(let skew):
      "our clock is \(abs(skew.milliseconds) / 1_000) s "
        + (skew.milliseconds < 0 ? "ahead of" : "behind") + " the App Store's; tokens are corrected"
    case .failed(let error): "given up, because \(error)"
    }
  }
}
