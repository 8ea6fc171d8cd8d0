/// Posts notifications to a server, as the App Store does.
package final class NotificationPoster {
  private let connection: HTTPConnection
  private let url: String

  /// Prepares posts to one address.
  ///
  /// - Parameters:
  ///   - url: where to; `http` or `https`.
  ///   - timeoutMilliseconds: how long one post may take.
  /// - Throws: ``PostingFailure`` when libcurl cannot be used.
  package init(url: String, timeoutMilliseconds: Int = 30_000) throws(PostingFailure) {
    connection = try HTTPConnection(timeoutMilliseconds: timeoutMilliseconds)
    self.url = url
  }

  /// Posts one notification and waits for the answer's status.
  ///
  /// - Parameter signedPayload: a compact JWS.
  /// - Returns: the HTTP status.
  /// - Throws: ``PostingFailure/noAnswer(_:)`` when there is no whole answer.
  package func post(_ signedPayload: String) throws(PostingFailure) -> Int {
    try deliver(signedPayload).status
  }

  /// The same with the whole answer.
  package func deliver(_ signedPayload: String) throws(PostingFailure) -> HTTPConnection.Answer {
    try connection.post("{\"signedPayload\":\"\(signedPayload)\"}", to: url)
  }

  /// Whether the App Store would take a status for a receipt.
  package static func isAccepted(_ status: Int) -> Bool { (200...206).contains(status) }
}
