import AppStoreModel
import AppStoreVerification
import LedgerStorage

/// Takes an archive into a ledger: this thread verifies while the store's thread writes.
struct Replay {
  /// How many lines one durable transaction takes.
  static let batchSize = 512
  /// How many transactions may wait for the store, so that memory stays bounded.
  static let greatestLead = 6

  let ledger: Ledger
  let verifier: SignedDataVerifier
  /// The app of renewals that come alone; `nil` when there can be several.
  let app: String?
  let now: Timestamp

  /// Takes every line.
  ///
  /// Errors: a ``CommandFailure`` for a file that cannot be read, or a store that refused; what was
  /// counted before it is durable, and replaying the file again repeats it.
  func run(_ lines: LineReader, progress: (Int) -> Void) throws -> ReplayTally.Counts {
    let tally = ReplayTally()
    let lead = Semaphore()
    for _ in 0..<Replay.greatestLead { lead.signal() }
    var batch: [ReplayLine] = []
    while let line = try lines.next(), tally.counts.failure == nil {
      batch.append(ReplayLine(line, with: verifier, app: app, now: now))
      guard batch.count == Replay.batchSize else { continue }
      submit(batch, tally, lead)
      batch.removeAll(keepingCapacity: true)
      progress(lines.bytesRead)
    }
    submit(batch, tally, lead)
    for _ in 0..<Replay.greatestLead { lead.wait() }
    if let failure = tally.counts.failure {
      throw CommandFailure("The ledger could not be written: \(failure)", advice: failure.advice)
    }
    return tally.counts
  }

  private func submit(_ batch: [ReplayLine], _ tally: ReplayTally, _ lead: Semaphore) {
    lead.wait()
    ledger.write(
      { (result: Result<[ReplayLine.Outcome], StoreError>) in
        switch result {
        case .success(let outcomes): tally.add(outcomes)
        case .failure(let error): tally.fail(error)
        }
        lead.signal()
      },
      { (recorder) throws(StoreError) in
        try batch.map { (line) throws(StoreError) in try line.record(with: recorder) }
      })
  }
}
