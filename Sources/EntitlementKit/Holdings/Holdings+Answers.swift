package import AppStoreModel
import EntitlementLedger
package import Foundation

extension Holdings {
  /// What every rule says at a moment of the device's clock, in the rules' order.
  package func entitlements(at device: Timestamp) -> [Entitlement] {
    book.rules.map { entitlement($0, at: device) }
  }

  /// What one rule says.
  package func entitlement(_ rule: EntitlementRule, at device: Timestamp) -> Entitlement {
    let now = clock.now(device)
    var answer = answer(rule, at: now)
    if !opinions.isEmpty { answer = weighed(answer, at: now) }
    answer.ownershipType = answer.transactionID.flatMap { newest($0)?.inAppOwnershipType }
    return answer
  }

  private func newest(_ transactionID: String) -> TransactionCopy? {
    copies[transactionID].flatMap { chains[$0.chain]?.transactions[transactionID]?.newest }
  }

  private func answer(_ rule: EntitlementRule, at now: Timestamp) -> Entitlement {
    let candidates = candidates(for: rule, at: now)
    let granted = candidates.filter { $0.product.verdict == .granted }
    if let best = granted.filter(\.isVouched).best { return entitled(rule, best) }
    if let listed = candidates.first(where: { listedWithoutState.contains($0.key) }) {
      return unknown(rule, listed, until: nil, at: now)
    }
    if let best = granted.best { return unknown(rule, best, until: best.product.until, at: now) }
    let hasDoubt =
      candidates.contains { $0.product.verdict == .unknown }
      || candidates.isEmpty && !unverifiedProducts.isDisjoint(with: rule.products)
    if !hasDoubt, let denied = candidates.latest { return refused(rule, denied) }
    if !hasDoubt, storeState == .live { return Entitlement(rule.id, .neverBought) }
    return Entitlement(
      id: rule.id, answer: .unknown(last: nil), isAllowed: false, source: .none,
      transactionID: nil, productID: nil, isProvisional: false)
  }

  /// The next moment at which an answer may change without another word from the store.
  package func nextChange(after device: Timestamp) -> Timestamp? {
    let now = clock.now(device)
    let byTime = chains.keys.compactMap { answer(of: $0, at: now)?.nextChange }
    let byPolicy = book.rules.flatMap { rule in
      (chainsByRule[rule.id] ?? []).compactMap { key in
        rule.whenUnknown.end(after: vouchers[key]?.at)
      }
    }
    let byOpinion = opinions.values.compactMap(\.until)
    return (byTime + byPolicy + byOpinion).filter { $0 > now }.min()
  }

  func answer(of key: ChainKey, at now: Timestamp) -> ChainAnswer? {
    chains[key]?.answer(
      at: now, catalog: book.catalog, policy: book.policy, perspective: .device)
  }

  private func candidates(for rule: EntitlementRule, at now: Timestamp) -> [Candidate] {
    (chainsByRule[rule.id] ?? []).flatMap { key -> [Candidate] in
      guard let answer = answer(of: key, at: now) else { return [] }
      let voucher = vouchers[key]
      return answer.products.filter { $0.entitlements.contains(rule.id) }.map {
        Candidate(key: key, product: $0, voucher: voucher)
      }
    }
  }

  private func entitled(_ rule: EntitlementRule, _ candidate: Candidate) -> Entitlement {
    Entitlement(
      id: rule.id, answer: .entitled(until: candidate.product.until.map(Date.init)),
      isAllowed: true, source: .store, transactionID: candidate.product.evidence.transactionId,
      productID: candidate.product.productId, isProvisional: candidate.product.isProvisional)
  }

  private func unknown(
    _ rule: EntitlementRule, _ candidate: Candidate, until: Timestamp?, at now: Timestamp
  ) -> Entitlement {
    let id = candidate.product.evidence.transactionId ?? candidate.key.originalTransactionId
    let vouchedAt = candidate.voucher?.at ?? copies[id]?.signedDate ?? .distantPast
    let end = rule.whenUnknown.end(after: vouchedAt)
    let isAllowed = end.map { now < $0 && now < until ?? .distantFuture } ?? false
    return Entitlement(
      id: rule.id,
      answer: .unknown(
        last: LastKnown(
          transactionID: id, productID: candidate.product.productId, until: until.map(Date.init),
          vouchedAt: Date(vouchedAt))),
      isAllowed: isAllowed, source: copies[id]?.source ?? .cache, transactionID: id,
      productID: candidate.product.productId, isProvisional: false)
  }

  private func refused(_ rule: EntitlementRule, _ candidate: Candidate) -> Entitlement {
    let id = candidate.product.evidence.transactionId
    return Entitlement(
      id: rule.id, answer: .notEntitled(because: denial(candidate.product)), isAllowed: false,
      source: id.flatMap { copies[$0]?.source } ?? .store, transactionID: id,
      productID: candidate.product.productId, isProvisional: false)
  }

  private func denial(_ product: ProductAnswer) -> Denial {
    let evidence = product.evidence
    let expiry = evidence.expiresDate.map(Date.init)
    switch product.reason {
    case .refunded: return .refunded(revocation(product))
    case .familyRevoked: return .familySharingEnded(revocation(product))
    case .assignmentRevoked: return .seatWithdrawn(revocation(product))
    case .revoked, .revokedWithoutDate: return .revoked(revocation(product))
    case .revokedByStatus: return .revokedByStatus
    case .billingRetry: return .billingProblem(since: expiry)
    case .replaced: return .upgradedAway
    case .movedToBundle: return .movedToBundle
    case .notBegun: return .notBegun(from: evidence.purchaseDate.map(Date.init))
    case .expired, .manualGrantEnded, .activePeriod, .gracePeriod, .renewalAwaited,
      .activeByStatus, .owned, .activeTerm, .manualGrant, .noFacts, .unmappedProduct,
      .unknownProductType, .unknownLength:
      return .expired(at: expiry)
    }
  }

  private func revocation(_ product: ProductAnswer) -> RevocationEvidence {
    let evidence = product.evidence
    let id = evidence.transactionId ?? ""
    let fields = evidence.chain.flatMap { chains[$0]?.transactions[id]?.newest.revocation }
    return RevocationEvidence(
      transactionID: id, date: Date(evidence.revocationDate ?? fields?.date ?? .distantPast),
      revocationClass: evidence.revocationClass ?? .unclassified,
      ownershipType: newest(id)?.inAppOwnershipType, reason: fields?.reason,
      type: fields?.type, share: fields?.share)
  }
}

/// What one chain says of one product that a rule names.
private struct Candidate {
  let key: ChainKey
  let product: ProductAnswer
  let voucher: Voucher?

  var isVouched: Bool { voucher?.isCurrent ?? false }

  var purchaseDate: Timestamp { product.evidence.purchaseDate ?? .distantPast }
  var name: String { key.originalTransactionId + "\t" + product.productId }
}

extension [Candidate] {
  /// The grant that lasts longest, a certain one before a provisional one.
  fileprivate var best: Candidate? {
    self.max { left, right in
      if left.product.isProvisional != right.product.isProvisional {
        return left.product.isProvisional
      }
      let ends = (left.product.until ?? .distantFuture, right.product.until ?? .distantFuture)
      return ends.0 != ends.1 ? ends.0 < ends.1 : left.name > right.name
    }
  }

  /// What was bought last.
  fileprivate var latest: Candidate? {
    self.max {
      $0.purchaseDate != $1.purchaseDate ? $0.purchaseDate < $1.purchaseDate : $0.name > $1.name
    }
  }
}

extension UnknownPolicy {
  /// Until when what was vouched for then stays; `nil` where nothing does.
  func end(after vouchedAt: Timestamp?) -> Timestamp? {
    guard case .keepLastKnown(let span) = self, let vouchedAt else { return nil }
    return vouchedAt.adding(span)
  }
}

extension Entitlement {
  init(_ id: String, _ denial: Denial) {
    self.init(
      id: id, answer: .notEntitled(because: denial), isAllowed: false, source: .store,
      transactionID: nil, productID: nil, isProvisional: false)
  }
}

extension Date {
  /// Makes a date at the edge where an app reads it.
  package init(_ moment: Timestamp) {
    switch moment {
    case .distantFuture: self = .distantFuture
    case .distantPast: self = .distantPast
    default: self.init(timeIntervalSince1970: Double(moment.millisecondsSince1970) / 1_000)
    }
  }
}

extension Timestamp {
  /// Reads a date at the edge where StoreKit or the device's clock hands it over.
  package init(_ date: Date) {
    let milliseconds = (date.timeIntervalSince1970 * 1_000).rounded(.down)
    self.init(millisecondsSince1970: Int64(exactly: milliseconds) ?? .max)
  }
}
