import AppStoreModel
public import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Carries reports to the server.
package protocol ReportTransport: Sendable {
  func send(_ body: [UInt8]) async -> ReportQueue.Outcome
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

  package func send(_ body: [UInt8]) async -> ReportQueue.Outcome {
    var request = URLRequest(url: server.address.appendingPathComponent("v1/transactions"))
    request.httpMethod = "POST"
    request.setValue("Bearer \(server.key)", forHTTPHeaderField: "Authorization")
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.httpBody = Data(body)
    let prepared = request
    return await withCheckedContinuation { continuation in
      URLSession.shared.dataTask(with: prepared) { _, response, _ in
        let response = response as? HTTPURLResponse
        continuation.resume(
          returning: Self.outcome(
            status: response?.statusCode,
            retryAfter: response?.value(forHTTPHeaderField: "Retry-After")))
      }.resume()
    }
  }

  /// What will never be taken is given up; everything else is tried again.
  package static func outcome(status: Int?, retryAfter: String?) -> ReportQueue.Outcome {
    switch status ?? 0 {
    case 200..<300: return .taken
    case 400, 413, 422: return .refused
    default:
      let seconds = retryAfter.flatMap { Int64($0) }
      return .failed(retryAfter: seconds.map { .seconds(min(max($0, 0), 86_400)) })
    }
  }
}
