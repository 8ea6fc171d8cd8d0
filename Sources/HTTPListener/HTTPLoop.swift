import AppStoreModel
import CMicrohttpd
import Glibc
import Synchronization

/// One thread with its own libmicrohttpd daemon, driven from outside.
///
/// The thread waits on the daemon's descriptor and its mailbox for no longer than the daemon allows:
/// the descriptor does not fire for data that libmicrohttpd has read already. Suspending, resuming and
/// answering happen on this thread only; a resume from another thread loses wake-ups.
final class HTTPLoop: @unchecked Sendable {
  let handler: any RequestHandler
  let limits: HTTPLimits
  private let shared: HTTPServer.Shared
  private let mailbox = Mailbox()
  private var daemon: OpaquePointer?
  private var phases = ConnectionPhases()
  private var exchanges: [ObjectIdentifier: Exchange] = [:]
  /// Whether connections are to end with the answer that they wait for.
  private(set) var isStopping = false
  /// Whether a request may no longer wait for its answer.
  private(set) var isClosing = false
  private var stopBy: Int64 = 0
  private var lastSweep: Int64 = 0
  private var thread = pthread_t()

  init(handler: any RequestHandler, limits: HTTPLimits, shared: HTTPServer.Shared) {
    self.handler = handler
    self.limits = limits
    self.shared = shared
  }

  // MARK: From any thread

  var isCurrentThread: Bool { pthread_equal(pthread_self(), thread) != 0 }

  func post(_ work: @escaping @Sendable () -> Void) {
    mailbox.post(work)
  }

  func stop() {
    mailbox.post { self.beginStopping() }
  }

  // MARK: Starting

  /// Opens the daemon's socket.
  ///
  /// - Parameters:
  ///   - address: where.
  ///   - tls: absent for plain HTTP.
  ///   - isShared: whether other loops listen there too.
  /// - Returns: the port, or `nil` when the address cannot be bound.
  func open(_ address: BindAddress, tls: TLSIdentity?, isShared: Bool) -> UInt16? {
    var options: [any CVarArg] = [
      // The loops count together whom they let in; their own limit only has to be beyond that.
      MHD_OPTION.CONNECTION_LIMIT.rawValue, UInt32(limits.connections + 1),
      MHD_OPTION.STRICT_FOR_CLIENT.rawValue, Int32(1),
      MHD_OPTION.NOTIFY_CONNECTION.rawValue, pointer(connectionChanged), own,
      MHD_OPTION.NOTIFY_COMPLETED.rawValue, pointer(requestCompleted), own,
      MHD_OPTION.URI_LOG_CALLBACK.rawValue, pointer(requestLineRead), own,
    ]
    if isShared {
      options += [MHD_OPTION.LISTENING_ADDRESS_REUSE.rawValue, UInt32(1)] as [any CVarArg]
    }
    if let tls {
      options += [MHD_OPTION.HTTPS_MEM_KEY.rawValue, tls.key.pointer]
      options += [MHD_OPTION.HTTPS_MEM_CERT.rawValue, tls.certificate.pointer]
    }
    let flags =
      MHD_USE_EPOLL.rawValue | MHD_ALLOW_SUSPEND_RESUME.rawValue
      | (tls == nil ? 0 : MHD_USE_TLS.rawValue)
      | (address.isIPv6 ? MHD_USE_IPv6.rawValue : 0)
    daemon = address.withSocketAddress { socketAddress in
      let bound: [any CVarArg] = [MHD_OPTION.SOCK_ADDR.rawValue, OpaquePointer(socketAddress)]
      return withVaList(options + bound + [MHD_OPTION.END.rawValue]) {
        MHD_start_daemon_va(
          flags, address.port, connectionAsked, Unmanaged.passUnretained(self).toOpaque(),
          requestAdvanced, Unmanaged.passUnretained(self).toOpaque(),
          $0)
      }
    }
    return daemon.map { UInt16(cmhd_port($0)) }
  }

  private var own: OpaquePointer { OpaquePointer(Unmanaged.passUnretained(self).toOpaque()) }

  private func pointer<Callback>(_ callback: Callback) -> OpaquePointer {
    unsafeBitCast(callback, to: OpaquePointer.self)
  }

  // MARK: On the loop's thread

  /// Serves until it has been stopped and nothing is in flight.
  func run() {
    thread = pthread_self()
    guard let daemon else { return }
    let poller = epoll_create1(Int32(EPOLL_CLOEXEC))
    watch(mailbox.descriptor, in: poller)
    watch(cmhd_epoll_descriptor(daemon), in: poller)
    var events = [epoll_event](repeating: epoll_event(), count: 4)
    while !isDone {
      epoll_wait(poller, &events, 4, patience(of: daemon))
      mailbox.drain()
      MHD_run(daemon)
      sweep()
    }
    close(poller)
    finishStopping(daemon)
  }

  private func watch(_ descriptor: Int32, in poller: Int32) {
    var event = epoll_event()
    event.events = EPOLLIN.rawValue
    event.data.fd = descriptor
    epoll_ctl(poller, EPOLL_CTL_ADD, descriptor, &event)
  }

  /// How long the loop may sleep, in milliseconds.
  private func patience(of daemon: OpaquePointer) -> Int32 {
    var milliseconds: UInt64 = 0
    let isSet = MHD_get_timeout(daemon, &milliseconds) == MHD_YES
    return Int32(min(isSet ? milliseconds : 250, 250))
  }

  private func sweep() {
    let now = MonotonicClock.milliseconds
    guard now - lastSweep >= 100 else { return }
    lastSweep = now
    for socket in phases.overdue(at: now, limits) where !cutOff(socket) {
      shutdown(socket, Int32(SHUT_RDWR))
    }
  }

  /// Lets a stream whose reader has stopped reading say goodbye first.
  private func cutOff(_ socket: Int32) -> Bool {
    let stalled = exchanges.values.first { exchange in
      exchange.stream != nil && exchange.connection.map(cmhd_socket) == socket
    }
    return stalled?.stream?.finish(.stalled) ?? false
  }

  private var isDone: Bool {
    isStopping && (exchanges.isEmpty || MonotonicClock.milliseconds >= stopBy)
  }

  private func beginStopping() {
    guard !isStopping, let daemon else { return }
    isStopping = true
    stopBy = MonotonicClock.milliseconds + limits.shutdownTime.milliseconds
    let listener = MHD_quiesce_daemon(daemon)
    if listener >= 0 { close(listener) }
    for exchange in exchanges.values { _ = exchange.stream?.finish(.stopping) }
  }

  /// A request that comes on an old connection now is refused at once: libmicrohttpd aborts the
  /// process when it is stopped with a connection suspended.
  private func finishStopping(_ daemon: OpaquePointer) {
    isClosing = true
    for exchange in exchanges.values {
      exchange.abandon(handler.refusal(.overloaded, id: "shutdown"))
    }
    for _ in 0..<8 { MHD_run(daemon) }
    MHD_stop_daemon(daemon)
    self.daemon = nil
  }

  // MARK: What the exchanges ask for

  func phase(of connection: OpaquePointer, _ phase: ConnectionPhases.Phase) {
    phases.move(cmhd_socket(connection), to: phase, at: MonotonicClock.milliseconds)
  }

  func reserveBody(_ count: Int, for peer: String) -> Bool {
    shared.reserveBody(count, for: peer, limits)
  }

  func releaseBody(_ count: Int, of peer: String) { shared.releaseBody(count, of: peer) }

  func countRefusal() { shared.refusals.add(1, ordering: .relaxed) }

  // MARK: What libmicrohttpd reports

  fileprivate func admits(_ address: UnsafePointer<sockaddr>) -> Bool {
    if shared.admits(HTTPLoop.text(of: address), limits) { return true }
    countRefusal()
    return false
  }

  fileprivate func connectionOpened(_ connection: OpaquePointer) {
    phases.open(cmhd_socket(connection), at: MonotonicClock.milliseconds)
    shared.opened(HTTPLoop.peer(of: connection))
  }

  fileprivate func connectionClosed(_ connection: OpaquePointer) {
    phases.close(cmhd_socket(connection))
    shared.closed(HTTPLoop.peer(of: connection))
  }

  fileprivate func begin(_ rawTarget: String, _ connection: OpaquePointer) -> Exchange {
    phase(of: connection, .header)
    let exchange = Exchange(rawTarget: rawTarget, id: shared.nextRequestID(), loop: self)
    exchanges[ObjectIdentifier(exchange)] = exchange
    return exchange
  }

  fileprivate func complete(_ exchange: Exchange, _ connection: OpaquePointer) {
    exchange.end()
    exchanges[ObjectIdentifier(exchange)] = nil
    phase(of: connection, .idle)
  }
}

// File-level constants of the C type: a closure written where an actor is inferred would trap when C
// calls it from another thread.

private let requestLineRead:
  @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?) ->
    UnsafeMutableRawPointer? = { context, target, connection in
      guard let context, let target, let connection else { return nil }
      let loop = Unmanaged<HTTPLoop>.fromOpaque(context).takeUnretainedValue()
      let exchange = loop.begin(String(cString: target), connection)
      return Unmanaged.passUnretained(exchange).toOpaque()
    }

private let requestAdvanced: MHD_AccessHandlerCallback = {
  _, connection, _, method, _, data, size, request in
  guard let connection, let method, let size, let known = request?.pointee else { return MHD_NO }
  let exchange = Unmanaged<Exchange>.fromOpaque(known).takeUnretainedValue()
  let piece = UnsafeRawBufferPointer(start: data, count: size.pointee)
  size.pointee = 0
  return exchange.advance(connection, method: String(cString: method), piece: piece)
}

private let requestCompleted: MHD_RequestCompletedCallback = { context, connection, request, _ in
  guard let context, let connection, let known = request?.pointee else { return }
  let loop = Unmanaged<HTTPLoop>.fromOpaque(context).takeUnretainedValue()
  loop.complete(Unmanaged<Exchange>.fromOpaque(known).takeUnretainedValue(), connection)
  request?.pointee = nil
}

private let connectionAsked: MHD_AcceptPolicyCallback = { context, address, _ in
  guard let context, let address else { return MHD_NO }
  let loop = Unmanaged<HTTPLoop>.fromOpaque(context).takeUnretainedValue()
  return loop.admits(address) ? MHD_YES : MHD_NO
}

private let connectionChanged: MHD_NotifyConnectionCallback = { context, connection, _, change in
  guard let context, let connection else { return }
  let loop = Unmanaged<HTTPLoop>.fromOpaque(context).takeUnretainedValue()
  if change.rawValue == 0 {  // MHD_CONNECTION_NOTIFY_STARTED, which Swift gives no name
    loop.connectionOpened(connection)
  } else {
    loop.connectionClosed(connection)
  }
}
