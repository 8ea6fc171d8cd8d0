import LedgerStorage

/// What of an answer of Apple's counts, and why the rest does not.
struct ProvedAnswers: Sendable {
  private(set) var deliveries: [Delivery] = []
  /// Of the first text that is not to be believed.
  private(set) var fault: QuestionFailure?

  init<Text>(_ texts: [Text], _ prove: (Text) throws(QuestionFailure) -> Delivery) {
    for text in texts {
      do throws(QuestionFailure) {
        deliveries.append(try prove(text))
      } catch {
        fault = fault ?? error
      }
    }
  }
}
