import Glibc
import HTTPListener
import Synchronization

/// Takes every connection, and answers a byte at a time without an end.
final class DrippingReceiver: Sendable {
  let port: UInt16
  private let taken = Atomic<Int>(0)
  private let isStopped = Atomic<Bool>(false)
  private let listener: Int32
  private let thread = Mutex<WorkerThread?>(nil)

  struct Failure: Error {}

  init() throws {
    guard let (listener, port) = LoopbackSocket.listening(backlog: 512) else { throw Failure() }
    self.listener = listener
    self.port = port
    thread.withLock { $0 = WorkerThread { [self] in run() } }
  }

  var url: String { "http://127.0.0.1:\(port)/drip" }
  /// How many connections it has.
  var connections: Int { taken.load(ordering: .relaxed) }

  func stop() {
    isStopped.store(true, ordering: .relaxed)
    thread.withLock { $0?.join() }
  }

  private func run() {
    var held: [Int32] = []
    while !isStopped.load(ordering: .relaxed) {
      var waiting = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
      if poll(&waiting, 1, 50) > 0 {
        let connection = accept(listener, nil, nil)
        if connection >= 0 { held.append(connection) }
        taken.store(held.count, ordering: .relaxed)
        put("HTTP/1.1 200 OK\r\nX-Drip: ", connection)
      }
      for connection in held { put("x", connection) }
    }
    for descriptor in held + [listener] { close(descriptor) }
  }

  private func put(_ text: String, _ connection: Int32) {
    let bytes = Array(text.utf8)
    _ = send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
  }
}

/// An address at which a connection is neither made nor refused.
final class BlackHole: Sendable {
  let port: UInt16
  private let descriptors: [Int32]

  init() throws {
    guard let (listener, port) = LoopbackSocket.listening(backlog: 0) else {
      throw DrippingReceiver.Failure()
    }
    self.port = port
    // The queue of those that wait to be accepted is full from now on, and nobody accepts.
    descriptors = [listener] + (0..<4).map { _ in LoopbackSocket.connecting(to: port) }
  }

  var url: String { "http://127.0.0.1:\(port)/hole" }

  deinit { for descriptor in descriptors { close(descriptor) } }
}

enum LoopbackSocket {
  /// A socket that listens on a free port of this machine.
  static func listening(backlog: Int32) -> (descriptor: Int32, port: UInt16)? {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = address(0)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, size) == 0 && listen(listener, backlog) == 0
          && getsockname(listener, address, &size) == 0
      }
    }
    return isBound ? (listener, UInt16(bigEndian: address.sin_port)) : nil
  }

  /// A socket that has begun to connect, whatever comes of it.
  static func connecting(to port: UInt16) -> Int32 {
    let descriptor = socket(
      AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
    var address = address(port)
    _ = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    return descriptor
  }

  private static func address(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    return address
  }
}
