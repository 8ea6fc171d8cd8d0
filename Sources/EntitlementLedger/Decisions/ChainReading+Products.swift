import AppStoreModel

extension ChainReading {
  /// The best outcome of each product, sorted by product.
  func products(_ outcomes: [Outcome]) -> [ProductAnswer] {
    var best: [(productId: String, outcome: Outcome)] = []
    for outcome in outcomes {
      let productId = productId(of: outcome)
      guard let place = best.firstIndex(where: { $0.productId == productId }) else {
        best.append((productId, outcome))
        continue
      }
      if outcome.isBetter(than: best[place].outcome) { best[place].outcome = outcome }
    }
    if best.count > 1 { best.sort { $0.productId < $1.productId } }
    return best.map { answer($0.productId, $0.outcome) }
  }

  private func productId(of outcome: Outcome) -> String {
    if let index = outcome.purchase { return purchases[index].copy.productId }
    return status?.entry.renewal?.productId ?? purchases.last?.copy.productId ?? ""
  }

  private func answer(_ productId: String, _ outcome: Outcome) -> ProductAnswer {
    let entitlements: [String]?
    if let index = outcome.purchase {
      entitlements = purchases[index].entitlements
    } else {
      entitlements = catalog.entitlements(
        of: productId, boughtAt: status?.clock ?? .distantFuture)
    }
    return ProductAnswer(
      productId: productId, entitlements: entitlements ?? [],
      reason: entitlements == nil ? .unmappedProduct : outcome.reason,
      evidence: evidence(of: outcome, productId),
      until: entitlements == nil ? nil : outcome.until)
  }

  private func evidence(of outcome: Outcome, _ productId: String) -> Evidence {
    let usesStatus = outcome.reason == .activeByStatus || outcome.reason == .revokedByStatus
    let entry = usesStatus ? status?.entry : nil
    guard let index = outcome.purchase else {
      return Evidence(
        chain: chain.key, productId: productId, expiresDate: outcome.until,
        status: entry?.status, statusDate: entry?.date)
    }
    let purchase = purchases[index]
    return Evidence(
      chain: chain.key, transactionId: purchase.copy.transactionId, productId: productId,
      ownership: purchase.copy.inAppOwnershipType, purchaseDate: purchase.purchaseDate,
      expiresDate: outcome.until ?? purchase.expiresDate,
      revocationDate: purchase.standing?.key.revocationDate,
      revocationClass: purchase.standing?.revocationClass,
      share: purchase.standing?.revocation.newestShowing.revocation?.share,
      status: entry?.status, statusDate: entry?.date)
  }
}

extension Outcome {
  /// Granted before unknown before denied; then the grant that lasts longest, or what was made last.
  fileprivate func isBetter(than other: Outcome) -> Bool {
    if reason.verdict != other.reason.verdict {
      return reason.verdict.rank > other.reason.verdict.rank
    }
    guard isGranted else { return true }
    return (until ?? .distantFuture) >= (other.until ?? .distantFuture)
  }
}

extension Verdict {
  /// A union takes the greatest: one grant is enough, and doubt is no denial.
  var rank: Int {
    switch self {
    case .granted: 2
    case .unknown: 1
    case .denied: 0
    }
  }
}
