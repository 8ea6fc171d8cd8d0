import AppStoreModel

extension AllowedOrigins {
  /// The first rule that `claim` breaks: App Store id, then bundle id, then environment.
  func firstBroken(by claim: ClaimedOrigin) -> VerificationRule? {
    if !acceptsAppAppleID(of: claim) { return .appID }
    if !acceptsBundleID(of: claim) { return .bundleID }
    if !acceptsEnvironment(of: claim) { return .environment }
    return nil
  }

  private func acceptsAppAppleID(of claim: ClaimedOrigin) -> Bool {
    guard claim.identification == .bundleAndAppAppleID else { return true }
    switch apps {
    case .any: return true
    case .compared(_, let expected): return accepts(claim.appAppleID, expected, of: claim)
    case .listed(let apps):
      if let app = claim.bundleID.flatMap({ apps[$0] }) {
        return accepts(claim.appAppleID, app.appAppleID, of: claim)
      }
      // The bundle id is of no listed app. When the App Store id is of none either, that comes first.
      guard let claimed = claim.appAppleID else { return true }
      return apps.values.contains { $0.appAppleID == nil || $0.appAppleID == claimed }
    }
  }

  private func accepts(_ claimed: Int64?, _ expected: Int64?, of claim: ClaimedOrigin) -> Bool {
    guard let expected else { return true }
    guard let claimed else { return !mustNameAppAppleID(claim) }
    return claimed == expected
  }

  /// Only the sandbox may leave the App Store id out.
  private func mustNameAppAppleID(_ claim: ClaimedOrigin) -> Bool {
    claim.environment == .production || environments == [.production]
  }

  private func acceptsBundleID(of claim: ClaimedOrigin) -> Bool {
    guard claim.identification != .none else { return true }
    switch apps {
    case .any: return true
    case .compared(let expected, _): return expected == nil || expected == claim.bundleID
    case .listed(let apps): return claim.bundleID.map { apps[$0] != nil } ?? false
    }
  }

  private func acceptsEnvironment(of claim: ClaimedOrigin) -> Bool {
    switch claim.environment {
    case .xcode, .localTesting: return false
    case .production, .sandbox, .unknown, nil: break
    }
    guard let environments else { return true }
    guard let environment = claim.environment.flatMap({ ServerEnvironment($0) }) else {
      return false
    }
    return environments.contains(environment)
  }
}
