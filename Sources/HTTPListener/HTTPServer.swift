import Glibc
package import Synchronization

/// Several loops on one address.
package final class HTTPServer: Sendable {
  /// What the loops count together.
  package final class Shared: Sendable {
    package let connections = Atomic<Int>(0)
    private let peers = Mutex<[String: Peer]>([:])
    package let refusals = Atomic<Int>(0)
    package let bodyBytes = Atomic<Int>(0)
    private let requests = Atomic<UInt64>(0)
    private let run = UInt32.random(in: .min ... .max)

    /// A name for a request that no other request of this or another run has, for practical purposes.
    package func nextRequestID() -> String {
      let number = requests.add(1, ordering: .relaxed).newValue
      return String(run, radix: 36) + "-" + String(number, radix: 36)
    }

    package var requestCount: UInt64 { requests.load(ordering: .relaxed) }

    /// Whether another connection from an address may come in.
    func admits(_ peer: String, _ limits: HTTPLimits) -> Bool {
      guard connections.load(ordering: .relaxed) < limits.connections else { return false }
      return peers.withLock { ($0[peer]?.connections ?? 0) < limits.connectionsPerAddress }
    }

    func opened(_ peer: String) {
      connections.add(1, ordering: .relaxed)
      peers.withLock { $0[peer, default: Peer()].connections += 1 }
    }

    func closed(_ peer: String) {
      connections.subtract(1, ordering: .relaxed)
      change(peer) { $0.connections -= 1 }
    }

    /// Whether an address may hold so much more of bodies; it holds it then.
    func reserveBody(_ count: Int, for peer: String, _ limits: HTTPLimits) -> Bool {
      guard bodyBytes.add(count, ordering: .relaxed).newValue <= limits.bodiesInFlight,
        takeShare(count, of: peer, limits)
      else {
        bodyBytes.subtract(count, ordering: .relaxed)
        return false
      }
      return true
    }

    func releaseBody(_ count: Int, of peer: String) {
      guard count > 0 else { return }
      bodyBytes.subtract(count, ordering: .relaxed)
      change(peer) { $0.bodyBytes -= count }
    }

    private func takeShare(_ count: Int, of peer: String, _ limits: HTTPLimits) -> Bool {
      peers.withLock { peers in
        let held = (peers[peer]?.bodyBytes ?? 0) + count
        guard held <= limits.bodiesInFlightPerAddress else { return false }
        peers[peer, default: Peer()].bodyBytes = held
        return true
      }
    }

    /// An address that holds nothing any more is forgotten.
    private func change(_ peer: String, _ body: (inout Peer) -> Void) {
      peers.withLock { peers in
        var entry = peers[peer] ?? Peer()
        body(&entry)
        peers[peer] = entry.isIdle ? nil : entry
      }
    }
  }

  /// What one address holds of the server at the moment.
  private struct Peer {
    var connections = 0
    var bodyBytes = 0

    var isIdle: Bool { connections <= 0 && bodyBytes <= 0 }
  }

  package let port: UInt16
  package let shared: Shared
  private let loops: [HTTPLoop]
  private let threads: [WorkerThread]

  /// Binds and starts serving.
  ///
  /// - Returns: `nil` when the address cannot be bound; `errno` says why.
  package init?(
    _ address: BindAddress, tls: TLSIdentity? = nil, loops count: Int = 2, limits: HTTPLimits,
    handler: any RequestHandler
  ) {
    guard address.port == 0 || address.isFree() else { return nil }
    let shared = Shared()
    var loops: [HTTPLoop] = []
    var bound = address
    for _ in 0..<count {
      let loop = HTTPLoop(handler: handler, limits: limits, shared: shared)
      guard let port = loop.open(bound, tls: tls, isShared: count > 1),
        let next = bound.with(port: port)
      else {
        let reason = errno
        for open in loops { open.stop() }
        for open in loops { open.run() }
        errno = reason
        return nil
      }
      bound = next
      loops.append(loop)
    }
    port = bound.port
    self.shared = shared
    self.loops = loops
    threads = loops.map { loop in WorkerThread { loop.run() } }
  }

  /// Stops accepting, answers what is in flight, and returns when all is done.
  package func stop() {
    for loop in loops { loop.stop() }
    for thread in threads { thread.join() }
  }
}
