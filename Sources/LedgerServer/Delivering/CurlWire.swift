import CCurl
import HTTPListener
import Synchronization

/// Sends deliveries with libcurl, all on one thread, over connections that stay open.
///
/// `@unchecked Sendable`: what is not behind the mutex belongs to the thread, but for waking it, which
/// libcurl allows from anywhere.
final class CurlWire: DispatchWire, @unchecked Sendable {
  typealias Completion = @Sendable (DispatchAnswer) -> Void

  private struct Mail {
    var starts: [(Dispatch, Completion)] = []
    var isClosed = false
  }

  private let multi: UnsafeMutableRawPointer
  private let settings: WireSettings
  private let mail = Mutex(Mail())
  private let thread = WorkerThread()
  private var transfers: [UnsafeMutableRawPointer: CurlDispatch] = [:]

  /// Starts the thread; `nil` when libcurl cannot be used.
  init?(_ settings: WireSettings) {
    guard Self.isInitialized, let multi = curl_multi_init() else { return nil }
    self.multi = multi
    self.settings = settings
    thread.start { [self] in run() }
  }

  deinit { curl_multi_cleanup(multi) }

  func send(_ dispatch: Dispatch, completion: @escaping Completion) {
    mail.withLock { $0.starts.append((dispatch, completion)) }
    curl_multi_wakeup(multi)
  }

  func close() {
    mail.withLock { $0.isClosed = true }
    curl_multi_wakeup(multi)
    thread.join()
  }

  private func run() {
    while let starts = takeMail() {
      for (dispatch, completion) in starts { begin(dispatch, completion) }
      var running: Int32 = 0
      curl_multi_perform(multi, &running)
      endFinished()
      curl_multi_poll(multi, nil, 0, 1_000, nil)
    }
    for handle in transfers.keys { curl_multi_remove_handle(multi, handle) }
    transfers = [:]
  }

  private func takeMail() -> [(Dispatch, Completion)]? {
    mail.withLock { mail in
      guard !mail.isClosed else { return nil }
      defer { mail.starts = [] }
      return mail.starts
    }
  }

  private func begin(_ dispatch: Dispatch, _ completion: @escaping Completion) {
    guard let transfer = CurlDispatch(dispatch, settings, completion),
      curl_multi_add_handle(multi, transfer.handle) == CURLM_OK
    else { return completion(DispatchAnswer(failure: .noConnection)) }
    transfers[transfer.handle] = transfer
  }

  private func endFinished() {
    var code = CURLE_OK
    while let handle = ccurl_multi_finished(multi, &code) {
      curl_multi_remove_handle(multi, handle)
      transfers.removeValue(forKey: handle)?.end(code)
    }
  }

  private static let isInitialized = curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK
}
