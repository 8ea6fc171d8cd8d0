package import AppStoreModel
import Glibc
import HTTPListener
import Synchronization

/// Serves a ``SimulatedServer`` over HTTP, and posts what it has to say to the receiver.
///
/// Production answers under ``url``, the sandbox under the same with `/sandbox`.
package final class SimulatorListener: Sendable {
  /// Tells the host's time.
  package typealias HostClock = @Sendable () -> Timestamp

  private let state: SimulatorState
  private let server: HTTPServer
  private let courier = Mutex<Courier?>(nil)

  /// Binds and starts serving.
  ///
  /// - Parameters:
  ///   - simulated: what is served.
  ///   - port: 0 lets the system choose.
  ///   - receiver: where notifications are posted; absent when nobody receives, or where
  ///     ``deliver(to:)`` says it later to a server that waits for a receiver.
  ///   - clock: the host's clock.
  ///
  /// Errors: `nil` when the port cannot be bound.
  package init?(
    _ simulated: SimulatedServer, port: UInt16 = 0, receiver: String? = nil,
    clock: @escaping HostClock = SimulatorListener.wallClock
  ) {
    var simulated = simulated
    if receiver != nil { simulated.hasReceiver = true }
    state = SimulatorState(simulated, clock: clock)
    guard let address = BindAddress(host: "127.0.0.1", port: port),
      let server = HTTPServer(
        address, loops: 1, limits: HTTPLimits(), handler: SimulatorHandler(state))
    else { return nil }
    self.server = server
    if let receiver { deliver(to: receiver) }
  }

  package var port: UInt16 { server.port }

  /// Shape: `http`, the loopback address and the port, without a slash at the end.
  package var url: String { "http://127.0.0.1:\(port)" }

  /// Reads or changes what is served, between two calls.
  package func withServer<Result: Sendable>(
    _ body: (inout SimulatedServer, Timestamp) throws -> Result
  ) rethrows -> Result {
    try state.withServer(body)
  }

  /// Begins to post what is due, and all that comes after it; only the first receiver counts.
  package func deliver(to receiver: String) {
    courier.withLock { [state] courier in
      if courier == nil { courier = Courier(state, receiver: receiver) }
    }
  }

  /// Stops serving and sending.
  package func stop() {
    courier.withLock { $0?.stop() }
    state.releaseHeld()
    server.stop()
  }

  /// The system's clock.
  package static let wallClock: HostClock = {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(
      millisecondsSince1970: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
  }
}
