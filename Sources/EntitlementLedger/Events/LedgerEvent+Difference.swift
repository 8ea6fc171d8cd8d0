import AppStoreModel

extension LedgerEvent {
  /// What happened between two answers to the same customer, by entitlement.
  public static func difference(
    from before: CustomerAnswer, to after: CustomerAnswer
  ) -> [LedgerEvent] {
    difference(from: before.decisions, to: after.decisions)
  }

  /// What happened to some entitlements of a customer: those that either side decides about.
  package static func difference(
    from before: [Decision], to after: [Decision]
  ) -> [LedgerEvent] {
    let old = Dictionary(before.map { ($0.entitlement, $0) }) { one, _ in one }
    let new = Dictionary(after.map { ($0.entitlement, $0) }) { one, _ in one }
    return Set(old.keys).union(new.keys).sorted().compactMap { name in
      difference(from: old[name] ?? .unheard(of: name), to: new[name] ?? .unheard(of: name))
    }
  }

  /// What happened to money; also a refund that changed no access is told.
  public static func difference(
    from before: [RefundEntry], to after: [RefundEntry], changesAccess: Bool
  ) -> [LedgerEvent] {
    after.compactMap { entry in
      let old = before.first { $0.key == entry.key }
      guard let kind = kind(from: old, to: entry) else { return nil }
      return LedgerEvent(kind, refund: entry, changesAccess: changesAccess)
    }
  }

  private static func kind(from old: RefundEntry?, to new: RefundEntry) -> Kind? {
    switch (old?.stands ?? false, new.stands) {
    case (false, true): .refunded
    case (true, false): .refundReversed
    case (true, true) where old?.netRefund != new.netRefund: .refundAmended
    case (true, true), (false, false): nil
    }
  }

  private static func difference(from before: Decision, to after: Decision) -> LedgerEvent? {
    guard before != after else { return nil }
    let kind: Kind
    switch (before.verdict, after.verdict) {
    case (.denied, .granted) where before.reason.isTakenBack: kind = .restored
    case (.denied, .granted), (.unknown, .granted): kind = .granted
    case (.granted, .denied): kind = after.reason.isTakenBack ? .revoked : .expired
    case (.granted, .unknown): kind = .uncertain
    default: kind = .changed
    }
    return LedgerEvent(kind, decision: after, changesAccess: kind != .changed)
  }
}

extension DecisionReason {
  /// Whether access was taken back, rather than over.
  public var isTakenBack: Bool {
    switch self {
    case .refunded, .familyRevoked, .assignmentRevoked, .revoked, .revokedWithoutDate,
      .revokedByStatus:
      true
    default: false
    }
  }
}
