/// How far one reading of a customer's history has come: a pure rule.
///
/// It reads on past a page that is not to be believed, for what follows may be money; but it keeps the
/// revision before it, so that the page is read again the next time.
struct HistoryReading: Hashable, Sendable {
  /// The revision to ask after; `nil` at the start and after the last page.
  private(set) var next: String?
  /// Up to where everything was taken.
  private(set) var kept: String?
  private(set) var fault: QuestionFailure?
  private var trail: PageTrail

  init(_ bound: PageTrail.Bound, after known: String?) {
    next = known
    kept = known
    trail = PageTrail(bound, at: known)
  }

  /// Passes a page.
  ///
  /// - Parameters:
  ///   - page: As Apple answered it.
  ///   - fault: Why something on it is not to be believed.
  /// - Throws: ``QuestionFailure/endlessPages(detail:)``; the revision of such a page is not kept.
  mutating func pass(
    _ page: TransactionPage, _ fault: QuestionFailure?
  ) throws(QuestionFailure) {
    self.fault = self.fault ?? fault
    next = try trail.next(page)
    if self.fault == nil { kept = page.revision ?? kept }
  }
}
