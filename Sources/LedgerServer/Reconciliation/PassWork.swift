import AppStoreModel

/// What a pass has still to ask, as far as it can be counted beforehand: a pure count.
package struct PassWork: Hashable, Sendable {
  /// Purchases that are due on the list.
  var questions: Int64 = 0
  /// Purchases that the general round has not come to.
  var rest: Int64 = 0
  /// Purchases whose customer's refund history has not been looked at.
  var refunds: Int64 = 0
  /// Purchases that the refund round has passed, and the histories that it had to read for them.
  private var refundsPassed: Int64 = 0
  private var historiesRead: Int64 = 0

  init(questions: Int64 = 0, rest: Int64 = 0, refunds: Int64 = 0) {
    self.questions = questions
    self.rest = rest
    self.refunds = refunds
  }

  /// Counts anew what is to do, as purchases have become known meanwhile.
  mutating func recount(questions: Int64, rest: Int64, refunds: Int64) {
    self.questions = questions
    self.rest = rest
    self.refunds = refunds
  }

  /// Steps to do.
  var steps: Int64 { questions + rest + refunds }

  mutating func finishQuestion() { questions = max(0, questions - 1) }

  mutating func finishRest() { rest = max(0, rest - 1) }

  /// Counts a purchase of the refund round.
  ///
  /// - Parameter histories: How many had to be read for it: none where another purchase of the same
  ///   customer came first.
  mutating func finishRefunds(histories: Int64) {
    refunds = max(0, refunds - 1)
    refundsPassed += 1
    historiesRead += histories
  }

  /// The refund histories to expect: one for each purchase until the round has shown how many purchases
  /// a customer has.
  var histories: Int64 {
    guard refundsPassed > 0 else { return refunds }
    return (refunds * historiesRead + refundsPassed - 1) / refundsPassed
  }

  /// How long it takes at the allowed pace; the two rounds go on side by side.
  func time(in budget: QuestionBudget) -> TimeSpan {
    max(
      budget.time(for: questions + rest, on: .transactionInfo),
      budget.time(for: histories, on: .refundHistory))
  }
}
