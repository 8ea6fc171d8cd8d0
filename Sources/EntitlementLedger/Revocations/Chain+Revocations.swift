import AppStoreModel

extension Chain {
  /// Every revocation that was ever shown and what has become of it, by transaction and date.
  public func revocationAnswers(_ perspective: Perspective = .server) -> [RevocationAnswer] {
    if revocations.isEmpty { return [] }
    let sorted = revocations.values.sorted { $0.key < $1.key }
    return sorted.indices.map { index in
      let next = index + 1 < sorted.count ? sorted[index + 1] : nil
      let isLast = next?.key.transactionId != sorted[index].key.transactionId
      return answer(
        sorted[index], supersededAt: isLast ? nil : next?.key.revocationDate, perspective)
    }
  }

  private func answer(
    _ revocation: Revocation, supersededAt: Timestamp?, _ perspective: Perspective
  ) -> RevocationAnswer {
    let newest = transactions[revocation.key.transactionId]?.newest
    let ownership = newest?.inAppOwnershipType ?? revocation.newestShowing.inAppOwnershipType
    let reversal = [
      notifiedReversal(of: revocation), reversalSeenByAPI(of: revocation), supersededAt,
      perspective == .device ? reversalSeenByDevice(of: revocation) : nil,
    ].compactMap { $0 }.min()
    return RevocationAnswer(
      revocation: revocation, revocationClass: revocation.revocationClass(ownership: ownership),
      ownership: ownership, reversedAt: reversal,
      price: newest?.price ?? revocation.newestShowing.price)
  }

  /// The first REFUND_REVERSED not before the revocation, unless Apple's API still showed the
  /// revocation when its lag was over.
  private func notifiedReversal(of revocation: Revocation) -> Timestamp? {
    reversals[revocation.key.transactionId]?.values.filter { date in
      guard date >= revocation.key.revocationDate else { return false }
      guard let shown = revocation.lastShownByAPI else { return true }
      return shown < date.adding(StatusEntry.lag)
    }.min()
  }

  /// Whether Apple's API showed the revocation so shortly before or after it was told reversed that
  /// only the next reading can tell a reversal from an old one signed again.
  func isReversalUnsettled(of revocation: Revocation) -> Bool {
    guard let shown = revocation.lastShownByAPI, let told = notifiedReversal(of: revocation),
      shown > told.subtracting(StatusEntry.lag)
    else { return false }
    let read = transactions[revocation.key.transactionId]?.newestCleanFromAPI?.signedDate
    return (read ?? .distantPast) < told.adding(StatusEntry.lag)
  }

  private func reversalSeenByAPI(of revocation: Revocation) -> Timestamp? {
    let clean = transactions[revocation.key.transactionId]?.newestCleanFromAPI?.signedDate
    guard let clean, clean >= revocation.firstShown.adding(StatusEntry.lag) else { return nil }
    return clean
  }

  private func reversalSeenByDevice(of revocation: Revocation) -> Timestamp? {
    guard let newest = transactions[revocation.key.transactionId]?.newest,
      newest.revocation == nil
    else { return nil }
    return newest.signedDate
  }
}

extension [RevocationAnswer] {
  /// Those of one transaction, of answers that stand in the order of their keys.
  func answers(of transactionId: String) -> ArraySlice<RevocationAnswer> {
    if isEmpty { return [] }
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle].key.transactionId < transactionId { low = middle + 1 } else { high = middle }
    }
    return self[low...].prefix { $0.key.transactionId == transactionId }
  }
}

extension RevocationKey: Comparable {
  /// By transaction, then by date.
  public static func < (left: RevocationKey, right: RevocationKey) -> Bool {
    left.transactionId == right.transactionId
      ? left.revocationDate < right.revocationDate : left.transactionId < right.transactionId
  }
}
