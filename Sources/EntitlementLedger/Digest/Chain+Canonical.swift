import AppStoreModel

extension Chain {
  /// State 1 to 4 in canonical lines, not sorted.
  func canonicalLines() -> [CanonicalLine] {
    var lines: [CanonicalLine] = []
    for state in transactions.values { lines += state.canonicalLines() }
    if let renewal { lines.append(line("renewal") { renewal.write(to: &$0) }) }
    for entry in statuses.values { lines.append(line("status") { entry.write(to: &$0) }) }
    for revocation in revocations.values { lines.append(revocation.canonicalLine()) }
    lines += marks(reversals, "reversal") + marks(undatedRevocations, "undatedRevocation")
    if let succeededAt {
      lines.append(line("succession") { $0.add("date", succeededAt) })
    }
    return lines
  }

  private func marks(
    _ map: [String: [String: Timestamp]], _ kind: StaticString
  ) -> [CanonicalLine] {
    map.flatMap { transactionId, dates in
      dates.map { uuid, date in
        line(kind) {
          $0.add("transactionId", transactionId)
          $0.add("notificationUUID", uuid)
          $0.add("date", date)
        }
      }
    }
  }
}

/// A line of one kind, filled in.
private func line(
  _ kind: StaticString, _ fill: (inout CanonicalLine) -> Void
) -> CanonicalLine {
  var line = CanonicalLine(kind)
  fill(&line)
  return line
}

extension TransactionState {
  fileprivate func canonicalLines() -> [CanonicalLine] {
    let copies: [(StaticString, TransactionCopy?)] = [
      ("newest", newest), ("newestFromAPI", newestFromAPI),
      ("newestCleanFromAPI", newestCleanFromAPI),
    ]
    let first = line("firstSigned") {
      $0.add("transactionId", newest.transactionId)
      $0.add("date", firstSigned)
    }
    return [first]
      + copies.compactMap { kind, copy in
        copy.map { copy in line(kind) { copy.write(to: &$0) } }
      }
  }
}

extension Revocation {
  fileprivate func canonicalLine() -> CanonicalLine {
    line("revocation") {
      $0.add("refundSeen", refundSeen)
      $0.add("revokeSeen", revokeSeen)
      $0.add("firstShown", firstShown)
      $0.add("lastShownByAPI", lastShownByAPI)
      newestShowing.write(to: &$0)
    }
  }
}

extension ProductAnswer {
  func canonicalLine() -> CanonicalLine {
    line("decision") {
      $0.add("productId", productId)
      $0.add("verdict", verdict.rawValue)
      $0.add("reason", reason.rawValue)
      $0.add("transactionId", evidence.transactionId)
      $0.add("until", until)
    }
  }
}

extension RefundEntry {
  func canonicalLine() -> CanonicalLine {
    line("refund") {
      $0.add("transactionId", key.transactionId)
      $0.add("date", key.revocationDate)
      $0.add("stands", stands)
      $0.add("netRefund", netRefund?.milliunits)
      $0.add("currency", netRefund?.currency.code)
    }
  }
}
