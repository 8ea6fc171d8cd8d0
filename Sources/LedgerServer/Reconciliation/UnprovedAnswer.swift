import LedgerStorage

/// An answer of Apple's that is not to be believed.
struct UnprovedAnswer: Error {
  /// Why, safe to log.
  let detail: String
  /// What of it the operator may look at.
  let items: [QuarantinedItem]

  var failure: QuestionFailure { .unproved(detail: detail) }
}
