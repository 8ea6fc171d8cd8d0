import AppStoreModel
import EntitlementLedger

/// Holds the real ledger's chain against the naive one.
struct LedgerComparison {
  let naive: NaiveLedger
  let real: Chain

  static let catalog = Catalog(
    ["pro", "pro.low", "pro.high", "bundle"].map {
      CatalogEntry(productId: $0, entitlements: ["pro"], length: SimulatedApple.term)
    })

  /// In words, what differs at a moment; empty where they agree.
  ///
  /// What comes next costs the naive ledger a question for each edge, so not every history asks.
  func differences(at now: Timestamp, andAfter: Bool) -> [String] {
    answerDifferences(at: now) + (andAfter ? changeDifferences(after: now) : [])
      + revocationDifferences + moneyDifferences
  }

  private func answerDifferences(at now: Timestamp) -> [String] {
    let answer = real.answer(at: now, catalog: Self.catalog)
    let decision = naive.decision(at: now, term: SimulatedApple.term)
    let reasons = answer.products.map(\.reason)
    let grants = naive.grants(at: now).compactMap(\.reason)
    var found: [String] = []
    if reasons.contains(where: { $0.verdict == .granted }) != decision.isGranted {
      found.append("\(reasons.map(\.rawValue)), naive \(decision.ground.rawValue)")
    } else if let reason = decision.ground.reason,
      !reasons.contains(where: { $0 == reason || grants.contains($0) })
    {
      found.append("reasons \(reasons.map(\.rawValue)), naive \(decision.ground.rawValue)")
    }
    let doubts = Set(answer.doubts.map(\.rawValue))
    if doubts != Set(decision.doubts.map(\.rawValue)) {
      found.append("doubts \(doubts.sorted()), naive \(decision.doubts.map(\.rawValue).sorted())")
    }
    return found.map { "at \(now.short): \($0)" }
  }

  /// What was answered must hold until the moment it names.
  private func changeDifferences(after now: Timestamp) -> [String] {
    let answer = real.answer(at: now, catalog: Self.catalog)
    let change = naive.nextChange(after: now, term: SimulatedApple.term) ?? .distantFuture
    let named = answer.products.filter { $0.verdict == .granted }.map(\.until)
    return (named + [answer.nextChange]).compactMap { moment in
      (moment ?? .distantFuture) > change
        ? "at \(now.short): until \(moment?.short ?? "-"), naive \(change.short)" : nil
    }
  }

  private var revocationDifferences: [String] {
    let ours = real.revocationAnswers().map {
      "\($0.key.transactionId) \($0.key.revocationDate.short) \($0.revocationClass.rawValue)"
        + " reversed \($0.reversedAt?.short ?? "-")"
    }
    let theirs = naive.revocations.map {
      "\($0.id) \($0.date.short) \(naive.kind(of: $0).rawValue)"
        + " reversed \(naive.reversalDate(of: $0)?.short ?? "-")"
    }
    return ours.sorted() == theirs.sorted()
      ? [] : ["revocations \(ours.sorted()), naive \(theirs.sorted())"]
  }

  private var moneyDifferences: [String] {
    let standing = real.refundEntries().filter(\.stands)
    let ours = standing.map { "\($0.key.transactionId) \($0.netRefund?.milliunits ?? -1)" }
    let theirs = naive.transactionIds.compactMap { id -> String? in
      let amount = naive.netRefund(id)
      return amount == 0 ? nil : "\(id) \(amount ?? -1)"
    }
    return ours.filter { !$0.hasSuffix(" 0") }.sorted() == theirs.sorted()
      ? [] : ["refunds \(ours.sorted()), naive \(theirs.sorted())"]
  }
}

extension NaiveLedger.Ground {
  /// The real ledger's word for it, where both have one.
  var reason: DecisionReason? {
    switch self {
    case .period: .activePeriod
    case .grace: .gracePeriod
    case .status: .activeByStatus
    case .leeway: .renewalAwaited
    case .lifetime: .owned
    case .season: .activeTerm
    case .revoked, .statusRevoked, .over, .nothing: nil
    }
  }
}
