import AppStoreModel

extension Revocation {
  /// What kind it is, as read from the newest copy that showed it and the transaction's ownership.
  func revocationClass(ownership: InAppOwnershipType?) -> RevocationClass {
    let fields = newestShowing.revocation
    if let type = fields?.type { return RevocationClass(type) }
    switch ownership {
    case .purchased: break
    case .familyShared: return .familyRevocation
    case .assigned: return .assignmentRevocation
    case .unknown, nil: return .unclassified
    }
    if fields?.reason == .upgradedToBundle { return .bundleMove }
    if refundSeen { return .fullRefund }
    if revokeSeen { return .unclassified }
    return fields?.reason == .other || fields?.reason == .developerIssue
      ? .fullRefund : .unclassified
  }
}

extension RevocationClass {
  init(_ type: RevocationType) {
    switch type {
    case .refundFull: self = .fullRefund
    case .refundProrated: self = .proratedRefund
    case .familyRevoke: self = .familyRevocation
    case .assignmentRevoke: self = .assignmentRevocation
    case .unknown: self = .unclassified
    }
  }
}
