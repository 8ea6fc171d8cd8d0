import AppStoreModel
import Synchronization

@testable import AppStoreServerAPI

/// An App Store that answers as a test says, without a network.
final class ScriptedTransport: HTTPTransport {
  typealias Answer =
    @Sendable (_ call: HTTPCall, _ number: Int) -> Result<
      HTTPAnswer, TransportFailure
    >

  private let answer: Answer
  private let sent = Mutex<[HTTPCall]>([])

  init(_ answer: @escaping Answer) {
    self.answer = answer
  }

  /// Answers in this order; the last one again and again.
  convenience init(_ answers: [Result<HTTPAnswer, TransportFailure>]) {
    self.init { _, number in answers[min(number, answers.count) - 1] }
  }

  var calls: [HTTPCall] { sent.withLock { $0 } }

  func send(_ call: HTTPCall) async throws(TransportFailure) -> HTTPAnswer {
    if Task.isCancelled { throw .cancelled }
    let number = sent.withLock { sent in
      sent.append(call)
      return sent.count
    }
    return try answer(call, number).get()
  }
}

extension HTTPAnswer {
  static func json(
    _ text: String, status: Int = 200, date: Timestamp? = nil, retryAfter: String? = nil
  ) -> HTTPAnswer {
    HTTPAnswer(status: status, body: Array(text.utf8), date: date, retryAfter: retryAfter)
  }

  static func error(_ code: Int64, retryAfter: String? = nil) -> HTTPAnswer {
    .json(
      #"{"errorCode":\#(code),"errorMessage":"words"}"#, status: Int(code / 10_000),
      retryAfter: retryAfter)
  }
}
