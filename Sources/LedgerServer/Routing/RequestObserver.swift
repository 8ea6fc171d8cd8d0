import HTTPListener

/// Is told of every answer, for the log and the metrics.
protocol RequestObserver: Sendable {
  /// - Parameters:
  ///   - request: What was asked.
  ///   - route: The pattern of its route; empty when there is none.
  ///   - status: The HTTP status of the answer.
  ///   - problem: Why it was refused.
  ///   - milliseconds: From the whole request to its answer.
  func answered(
    _ request: HTTPRequest, route: String, status: Int, problem: Problem?, milliseconds: Int64)

  /// A request was refused before its header or body was whole.
  func refused(id: String, _ problem: Problem)
}
