import LedgerStorage

/// What of an answer of Apple's counts, and what became of the rest.
struct ProvedAnswers: Sendable {
  private(set) var deliveries: [Delivery] = []
  /// What is kept of texts that are not to be believed.
  private(set) var refused: [QuarantinedItem] = []
  /// Of the first such text.
  private(set) var fault: QuestionFailure?

  init<Text>(_ texts: [Text], _ prove: (Text) throws(UnprovedAnswer) -> Delivery) {
    for text in texts {
      do throws(UnprovedAnswer) {
        deliveries.append(try prove(text))
      } catch {
        refused += error.items
        fault = fault ?? error.failure
      }
    }
  }
}
