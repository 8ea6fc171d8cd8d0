import AppStoreModel

/// The app and environment that a payload says it is for.
struct ClaimedOrigin: Hashable, Sendable {
  /// What a kind of payload tells at all: a renewal names no app, a transaction no App Store id.
  enum Identification: Hashable, Sendable {
    case none
    case bundleID
    case bundleAndAppAppleID
  }

  let identification: Identification
  let bundleID: String?
  let appAppleID: Int64?
  let environment: AppStoreEnvironment?

  init(
    _ identification: Identification, bundleID: String? = nil, appAppleID: Int64? = nil,
    environment: AppStoreEnvironment?
  ) {
    self.identification = identification
    self.bundleID = bundleID
    // The sandbox writes 0 for an app that is not on sale yet.
    self.appAppleID = appAppleID == 0 ? nil : appAppleID
    self.environment = environment
  }
}

extension ClaimedOrigin {
  /// The first rule by which an inner payload's claim differs from this container's.
  func firstDisagreement(with inner: ClaimedOrigin) -> VerificationRule? {
    if let mine = appAppleID, let other = inner.appAppleID, mine != other { return .appID }
    if inner.identification != .none, bundleID != nil, bundleID != inner.bundleID {
      return .bundleID
    }
    return agreesOnEnvironment(with: inner) ? nil : .environment
  }

  /// An inner value that is missing or unknown to us is covered by the container's.
  private func agreesOnEnvironment(with inner: ClaimedOrigin) -> Bool {
    switch inner.environment {
    case .xcode, .localTesting: false
    case .unknown, nil: true
    case .production, .sandbox: environment == nil || environment == inner.environment
    }
  }
}
