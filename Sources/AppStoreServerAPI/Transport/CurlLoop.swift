import CCurl
import Glibc
import Synchronization

/// The thread that moves all transfers.
///
/// `@unchecked Sendable`: what is not behind the mutex belongs to the thread, but for waking it, which
/// libcurl allows from anywhere.
final class CurlLoop: @unchecked Sendable {
  typealias Ticket = UInt64
  typealias Ending = CheckedContinuation<Result<HTTPAnswer, TransportFailure>, Never>

  private struct Mail {
    var starts: [(HTTPCall, Ticket, Ending)] = []
    var cancelled: Set<Ticket> = []
    var hasNews = false
    var isStopping = false
    var lastTicket: Ticket = 0
  }

  private let multi: UnsafeMutableRawPointer
  private let settings: TransportSettings
  private let mail = Mutex(Mail())
  private var transfers: [UnsafeMutableRawPointer: CurlTransfer] = [:]

  init?(_ settings: TransportSettings) {
    guard let multi = curl_multi_init() else { return nil }
    self.multi = multi
    self.settings = settings
    _ = ccurl_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, settings.connectionsPerHost)
  }

  deinit { curl_multi_cleanup(multi) }

  func nextTicket() -> Ticket {
    mail.withLock { mail in
      mail.lastTicket += 1
      return mail.lastTicket
    }
  }

  func start(_ call: HTTPCall, _ ticket: Ticket, _ ending: Ending) {
    let isCancelled = mail.withLock { mail in
      guard !mail.cancelled.contains(ticket), !mail.isStopping else { return true }
      mail.starts.append((call, ticket, ending))
      return false
    }
    if isCancelled { ending.resume(returning: .failure(.cancelled)) } else { wake() }
  }

  func cancel(_ ticket: Ticket) {
    mail.withLock { mail in
      mail.cancelled.insert(ticket)
      mail.hasNews = true
    }
    wake()
  }

  /// The ticket has ended: a cancellation that came too late is of no interest.
  func forget(_ ticket: Ticket) {
    mail.withLock { _ = $0.cancelled.remove(ticket) }
  }

  func stop() {
    mail.withLock { $0.isStopping = true }
    wake()
  }

  /// Begins to run; the thread keeps the loop alive until ``stop()``.
  func start() {
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        Unmanaged<CurlLoop>.fromOpaque(context).takeRetainedValue().run()
        return nil
      }, Unmanaged.passRetained(self).toOpaque())
    precondition(code == 0, "the system refuses another thread")
    pthread_detach(thread)
  }

  private func wake() { curl_multi_wakeup(multi) }

  private func run() {
    blockSignals()
    while readMail() {
      var running: Int32 = 0
      curl_multi_perform(multi, &running)
      endFinished()
      curl_multi_poll(multi, nil, 0, 60_000, nil)
    }
    for (handle, transfer) in transfers { end(handle, transfer, .failure(.cancelled)) }
  }

  /// Signals belong to other threads; a write to a closed connection must not end the process.
  private func blockSignals() {
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_BLOCK, &all, nil)
  }

  /// Takes what others left; `false` when it is time to stop.
  private func readMail() -> Bool {
    let (starts, cancelled, isStopping) = mail.withLock { mail in
      defer {
        mail.starts = []
        mail.hasNews = false
      }
      return (mail.starts, mail.hasNews ? mail.cancelled : [], mail.isStopping)
    }
    for (call, ticket, ending) in starts {
      let isWanted = !isStopping && !cancelled.contains(ticket)
      if isWanted {
        begin(call, ticket, ending)
      } else {
        ending.resume(returning: .failure(.cancelled))
      }
    }
    for (handle, transfer) in transfers where cancelled.contains(transfer.ticket) {
      end(handle, transfer, .failure(.cancelled))
    }
    return !isStopping
  }

  private func begin(_ call: HTTPCall, _ ticket: Ticket, _ ending: Ending) {
    guard let transfer = CurlTransfer(call, ticket, settings, ending) else {
      return ending.resume(returning: .failure(.unavailable))
    }
    guard curl_multi_add_handle(multi, transfer.handle) == CURLM_OK else {
      return transfer.end(.failure(.unavailable))
    }
    transfers[transfer.handle] = transfer
  }

  private func endFinished() {
    var code = CURLE_OK
    while let handle = ccurl_multi_finished(multi, &code) {
      guard let transfer = transfers[handle] else { continue }
      end(handle, transfer, transfer.result(code))
    }
  }

  private func end(
    _ handle: UnsafeMutableRawPointer, _ transfer: CurlTransfer,
    _ result: Result<HTTPAnswer, TransportFailure>
  ) {
    curl_multi_remove_handle(multi, handle)
    transfers[handle] = nil
    transfer.end(result)
  }
}
