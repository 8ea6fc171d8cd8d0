package import AppStoreModel

/// One line of a file that tells whose a purchase is.
package struct ImportRow: Hashable, Sendable {
  /// Counted from 1, the header included.
  package let line: Int64
  package let transactionId: String
  package let customer: String
  package let bundleId: String
  /// Why it cannot be used; `nil` where it can.
  package let problem: String?

  package init(
    line: Int64, transactionId: String, customer: String, bundleId: String,
    problem: String? = nil
  ) {
    self.line = line
    self.transactionId = transactionId
    self.customer = customer
    self.bundleId = bundleId
    self.problem = problem
  }
}

/// A line that waits for its purchase's history to be walked.
package struct WaitingImportRow: Hashable, Sendable {
  package let id: Int64
  package let importID: Int64
  package let row: ImportRow
  /// Where the purchase was found; `nil` until it was.
  package let environment: AppStoreEnvironment?
  /// Apple's token of the next page.
  package let revision: String?
  package let tries: Int64
}

/// How far an import has come.
package struct ImportProgress: Hashable, Sendable {
  package let rows: Int64
  package let done: Int64
  package let refused: Int64
  package var waiting: Int64 { rows - done - refused }

  package init(rows: Int64, done: Int64, refused: Int64) {
    self.rows = rows
    self.done = done
    self.refused = refused
  }
}
