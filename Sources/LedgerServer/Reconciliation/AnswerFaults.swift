import LedgerStorage

/// Answers of Apple's that could not be used, until the same question is answered well: a pure list.
struct AnswerFaults: Hashable, Sendable {
  /// What was asked about.
  enum Subject: Hashable, Sendable {
    case walk(Walk.Kind)
    case chain(Int64)
    /// By the customer or purchase that is asked for.
    case refunds(String)
    case importRow(Int64)
  }

  private struct Fault: Hashable, Sendable {
    let subject: Subject
    var failure: QuestionFailure
  }

  private static let most = 1_000

  private var faults: [Fault] = []

  /// The oldest.
  var first: QuestionFailure? { faults.first?.failure }

  /// - Returns: Whether it is news.
  mutating func note(_ failure: QuestionFailure, of subject: Subject) -> Bool {
    if let index = faults.firstIndex(where: { $0.subject == subject }) {
      defer { faults[index].failure = failure }
      return faults[index].failure != failure
    }
    guard faults.count < Self.most else { return false }
    faults.append(Fault(subject: subject, failure: failure))
    return true
  }

  mutating func clear(_ subject: Subject) {
    guard !faults.isEmpty else { return }
    faults.removeAll { $0.subject == subject }
  }
}

extension AnswerFaults.Subject: CustomStringConvertible {
  var description: String {
    switch self {
    case .walk(let kind): "the walk \(kind.rawValue)"
    case .chain(let id): "purchase \(id) of the ledger"
    case .refunds: "the refund history of a customer"
    case .importRow(let id): "line \(id) of the imports"
    }
  }
}
