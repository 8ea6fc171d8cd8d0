package import AppStoreModel
import EntitlementLedger
import Foundation

/// What the server said of one right.
struct Opinion: Hashable, Sendable {
  let chain: ChainKey
  let askedAt: Timestamp
  /// `nil` where it granted nothing.
  let until: Timestamp?
}

extension Holdings {
  /// How long an opinion lasts at most.
  private static let longest = TimeSpan.days(1)
  /// How long before the same is asked again.
  private static let pause = TimeSpan.hours(1)

  /// What the server should be asked now: rights that seem to have ended by time alone.
  package func questions(at device: Timestamp) -> [SecondOpinionQuestion] {
    let now = clock.now(device)
    return book.rules.compactMap { rule in
      let answer = entitlement(rule, at: device)
      guard answer.source != .server, let id = answer.transactionID, let copy = copies[id],
        isBlind(answer, copy.chain), !wasAsked(rule.id, at: now)
      else { return nil }
      return SecondOpinionQuestion(
        entitlementID: rule.id, transactionID: id, signedTransaction: copy.jws)
    }
  }

  /// Notes what the server said.
  package mutating func note(
    _ answer: SecondOpinionAnswer, to question: SecondOpinionQuestion, at device: Timestamp
  ) {
    guard let chain = copies[question.transactionID]?.chain else { return }
    let now = clock.now(device)
    var until: Timestamp?
    if case .entitled(let date) = answer { until = min(Timestamp(date), now.adding(Self.longest)) }
    opinions[question.entitlementID] = Opinion(chain: chain, askedAt: now, until: until)
  }

  /// An answer that the server's opinion outweighs, replaced.
  func weighed(_ answer: Entitlement, at now: Timestamp) -> Entitlement {
    guard let opinion = opinions[answer.id], let until = opinion.until, now < until,
      let id = answer.transactionID, copies[id]?.chain == opinion.chain,
      isBlind(answer, opinion.chain)
    else { return answer }
    return Entitlement(
      id: answer.id, answer: .entitled(until: Date(until)), isAllowed: true, source: .server,
      transactionID: id, productID: answer.productID, isProvisional: true)
  }

  /// Whether a subscription seems over though nothing says that it should be.
  private func isBlind(_ answer: Entitlement, _ key: ChainKey) -> Bool {
    guard let chain = chains[key], chain.renewal?.autoRenewStatus != .off,
      chain.transactions.values.contains(where: { $0.newest.expiresDate != nil })
    else { return false }
    switch answer.answer {
    case .notEntitled(.expired), .unknown(last: .some): return true
    default: return false
    }
  }

  private func wasAsked(_ id: String, at now: Timestamp) -> Bool {
    guard let opinion = opinions[id] else { return false }
    return now < opinion.askedAt.adding(Self.pause)
  }
}
