package import AppStoreModel
package import EntitlementLedger

/// What the spend gate answered, and what became of it.
package struct SpendAuthorization: Hashable, Sendable {
  package enum State: String, Hashable, Sendable, CaseIterable {
    case denied, open, settled, released
    /// Its time ended before it was settled.
    case lapsed
    /// What it was charged to was taken back while it was open.
    case revoked
  }

  package let id: String
  package let customer: CustomerKey
  package let purpose: SpendPurpose
  package private(set) var state: State
  /// Why it was decided so: a `DecisionReason` or a ``SpendRefusal`` by its name.
  package let reason: String
  /// The customer's version that it was decided at.
  package let version: Int64
  /// The purchase that pays; the first of several lots.
  package let originalTransactionId: String?
  package let transactionId: String?
  /// The lots that it holds credits of, in the order of drawing.
  package let draws: [LotDraw]
  /// Whether it was given while the store could not be reached.
  package let isDegraded: Bool
  /// Why what it rests on has been taken back, where it was; a reason that denies, by its name.
  package var withdrawal: String?
  package let decidedAt: Timestamp
  /// `nil` for a denied one.
  package let lapsesAt: Timestamp?
  /// When it was settled, released or revoked, or lapsed.
  package private(set) var endedAt: Timestamp?

  package init(
    id: String, customer: CustomerKey, purpose: SpendPurpose, state: State, reason: String,
    version: Int64, originalTransactionId: String?, transactionId: String?, draws: [LotDraw] = [],
    isDegraded: Bool = false, decidedAt: Timestamp, lapsesAt: Timestamp?,
    endedAt: Timestamp? = nil
  ) {
    self.id = id
    self.customer = customer
    self.purpose = purpose
    self.state = state
    self.reason = reason
    self.version = version
    self.originalTransactionId = originalTransactionId
    self.transactionId = transactionId
    self.draws = draws
    self.isDegraded = isDegraded
    self.decidedAt = decidedAt
    self.lapsesAt = lapsesAt
    self.endedAt = endedAt
  }

  package var entitlement: String? { purpose.entitlement }
  package var cost: Cost { purpose.cost }

  /// Whether the money may be spent: never without a hold, also not as a repeat of a question.
  package var isAllowed: Bool { denial == nil }

  /// Why it is allowed or denied as it stands: never a reason of the other answer.
  package var presentReason: String { denial ?? reason }

  private var denial: String? {
    switch state {
    case .denied: reason
    case .open: withdrawal
    case .settled: isSettledLate ? HoldEnd.holdLapsed.rawValue : withdrawal
    case .released: HoldEnd.holdReleased.rawValue
    case .lapsed: HoldEnd.holdLapsed.rawValue
    case .revoked: HoldEnd.holdRevoked.rawValue
    }
  }

  /// Whether its time was over when it was settled.
  private var isSettledLate: Bool {
    guard let endedAt, let lapsesAt else { return false }
    return lapsesAt <= endedAt
  }

  /// The answer at a moment: lapsed from the end of its time on, whoever has noticed it.
  package func lapsed(by now: Timestamp) -> SpendAuthorization {
    guard state == .open, let lapsesAt, lapsesAt <= now else { return self }
    var copy = self
    copy.state = .lapsed
    copy.endedAt = lapsesAt
    return copy
  }
}

/// Why a question is denied again whose hold is over.
///
/// A closed list, described in `docs/contracts/api.md`.
package enum HoldEnd: String, Hashable, Sendable, CaseIterable {
  case holdLapsed, holdReleased
  /// What it rested on was taken back, or is another customer's.
  case holdRevoked
}

/// What is to be spent, and on what right.
package struct SpendPurpose: Hashable, Sendable {
  /// The right that must be granted; `nil` where credits alone pay.
  package let entitlement: String?
  /// What is drawn from a balance; `nil` where a right alone decides.
  package let credits: Credits?
  package let measure: SpendMeasure
  package let cost: Cost

  package init(
    entitlement: String?, credits: Credits? = nil, measure: SpendMeasure = .oneRequest, cost: Cost
  ) {
    self.entitlement = entitlement
    self.credits = credits
    self.measure = measure
    self.cost = cost
  }
}

/// Credits of one lot.
package struct LotDraw: Hashable, Sendable {
  package let originalTransactionId: String
  package let transactionId: String
  package let credits: Int64
}
