/// Answers requests.
///
/// It is called on a loop's thread and must not block it: what takes long is handed to other threads,
/// and the reply sent from there.
package protocol RequestHandler: Sendable {
  func handle(_ request: HTTPRequest, reply: Reply)

  /// The answer to a request that is refused before a handler sees it.
  func refusal(_ reason: Refusal, id: String) -> HTTPResponse
}

/// Why a request never reaches a handler.
package enum Refusal: Sendable, Equatable {
  /// It can be read in two ways, or not at all.
  case malformed(String)
  case bodyTooLarge(limit: Int)
  case overloaded
}

/// Sends the answer to one request, once, from any thread.
package struct Reply: Sendable {
  private let exchange: Exchange

  init(_ exchange: Exchange) {
    self.exchange = exchange
  }

  package func send(_ response: HTTPResponse) {
    exchange.answer(response)
  }

  /// Closes the connection without an answer.
  package func close() {
    exchange.drop()
  }
}
