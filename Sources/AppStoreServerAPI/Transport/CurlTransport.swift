import AppStoreModel
import CCurl
import Synchronization

/// Sends requests with libcurl, on a thread of its own, over connections that stay open.
final class CurlTransport: HTTPTransport {
  private let loop: CurlLoop

  /// Starts the thread.
  ///
  /// - Throws: ``TransportFailure/unavailable`` when libcurl cannot be used.
  init(_ settings: TransportSettings) throws(TransportFailure) {
    guard Self.isInitialized, let loop = CurlLoop(settings) else { throw .unavailable }
    self.loop = loop
    loop.start()
  }

  deinit { loop.stop() }

  func send(_ call: HTTPCall) async throws(TransportFailure) -> HTTPAnswer {
    let ticket = loop.nextTicket()
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { loop.start(call, ticket, $0) }
    } onCancel: {
      loop.cancel(ticket)
    }
    loop.forget(ticket)
    return try result.get()
  }

  private static let isInitialized = curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK
}
