import AppStoreModel
public import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Carries reports to the server.
package protocol ReportTransport: Sendable {
  /// Sends the body of one request, which holds these texts.
  func send(_ body: [UInt8], of batch: [ReportQueue.Text]) async -> ReportQueue.Outcome
}

/// Where reports go: the server's address and the publishable keys of the app.
public struct ReportingServer: Hashable, Sendable {
  let address: URL
  private let key: String
  private let sandboxKey: String?

  /// Names the server's own address, without a path, and keys of scope `device`.
  ///
  /// - Parameters:
  ///   - address: The server's own address, without a path.
  ///   - publishableKey: Goes with what the App Store sold.
  ///   - sandboxKey: Goes with what the sandbox sold, to testers and to Apple's review: the build that they
  ///     run is the one that is sold later. Without one, the other key goes with that too.
  public init(address: URL, publishableKey: String, sandboxKey: String? = nil) {
    self.address = address
    key = publishableKey
    self.sandboxKey = sandboxKey
  }

  func key(for batch: [ReportQueue.Text]) -> String {
    guard let sandboxKey, batch.first?.isFromSandbox == true else { return key }
    return sandboxKey
  }
}

/// Posts to `/v1/transactions`.
package struct HTTPTransport: ReportTransport {
  private let server: ReportingServer

  package init(_ server: ReportingServer) {
    self.server = server
  }

  package func send(
    _ body: [UInt8], of batch: [ReportQueue.Text]
  ) async -> ReportQueue.Outcome {
    let request = request(body, key: server.key(for: batch))
    return await withCheckedContinuation { continuation in
      URLSession.shared.dataTask(with: request) { data, response, error in
        let answer = ReportAnswer(to: request, data, response, error)
        continuation.resume(returning: answer.outcome(of: batch.count))
      }.resume()
    }
  }

  private func request(_ body: [UInt8], key: String) -> URLRequest {
    var request = URLRequest(url: server.address.appendingPathComponent("v1/transactions"))
    request.httpMethod = "POST"
    request.setValue("Bearer \(key)", forHTTPHeaderField: "Authorization")
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.httpBody = Data(body)
    return request
  }
}

extension ReportAnswer {
  fileprivate init(
    to request: URLRequest, _ data: Data?, _ response: URLResponse?, _ error: (any Error)?
  ) {
    let response = response as? HTTPURLResponse
    status = response?.statusCode
    retryAfter = response?.value(forHTTPHeaderField: "Retry-After")
    body = data.map { [UInt8]($0) } ?? []
    isRedirected = response?.url.map { $0 != request.url } ?? false
    failure = (error as? URLError)?.errorCode
  }
}
