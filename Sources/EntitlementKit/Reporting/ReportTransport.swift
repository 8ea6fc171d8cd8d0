import AppStoreModel
public import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Carries reports to the server.
package protocol ReportTransport: Sendable {
  /// Sends the body of one request, which holds so many texts.
  func send(_ body: [UInt8], count: Int) async -> ReportQueue.Outcome
}

/// Where reports go: the server's address and the publishable key of the app.
public struct ReportingServer: Hashable, Sendable {
  let address: URL
  let key: String

  /// Names the server's own address, without a path, and a key of scope `device`.
  public init(address: URL, publishableKey: String) {
    self.address = address
    key = publishableKey
  }
}

/// Posts to `/v1/transactions`.
package struct HTTPTransport: ReportTransport {
  private let server: ReportingServer

  package init(_ server: ReportingServer) {
    self.server = server
  }

  package func send(_ body: [UInt8], count: Int) async -> ReportQueue.Outcome {
    let request = request(body)
    return await withCheckedContinuation { continuation in
      URLSession.shared.dataTask(with: request) { data, response, error in
        let answer = ReportAnswer(to: request, data, response, error)
        continuation.resume(returning: answer.outcome(of: count))
      }.resume()
    }
  }

  private func request(_ body: [UInt8]) -> URLRequest {
    var request = URLRequest(url: server.address.appendingPathComponent("v1/transactions"))
    request.httpMethod = "POST"
    request.setValue("Bearer \(server.key)", forHTTPHeaderField: "Authorization")
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
