import Glibc
import HTTPListener
import Synchronization

/// Takes deliveries, and answers as a test says.
final class TestReceiver: Sendable {
  enum Answer: Sendable {
    case status(Int, [(name: String, value: String)] = [], body: Int = 0)
    /// Nothing is ever answered.
    case silence
    /// The connection ends without an answer.
    case hangUp
  }

  typealias Behaviour = @Sendable (HTTPRequest, _ number: Int) -> Answer

  private struct State {
    var requests: [HTTPRequest] = []
    var behaviour: Behaviour
    var held: [Reply] = []
  }

  private struct Handler: RequestHandler {
    let receiver: TestReceiver.Box

    func handle(_ request: HTTPRequest, reply: Reply) { receiver.take(request, reply) }
    func refusal(_ reason: Refusal, id: String) -> HTTPResponse { HTTPResponse(status: 400) }
  }

  /// What the handler and the test share.
  ///
  /// `@unchecked Sendable`: lock and condition are made for many threads.
  final class Box: @unchecked Sendable {
    private let state: Mutex<State>
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let changed: UnsafeMutablePointer<pthread_cond_t>

    init(_ behaviour: @escaping Behaviour) {
      state = Mutex(State(behaviour: behaviour))
      mutex = .allocate(capacity: 1)
      changed = .allocate(capacity: 1)
      pthread_mutex_init(mutex, nil)
      pthread_cond_init(changed, nil)
    }

    func take(_ request: HTTPRequest, _ reply: Reply) {
      let (behaviour, number) = state.withLock { state in
        state.requests.append(request)
        return (state.behaviour, state.requests.count)
      }
      switch behaviour(request, number) {
      case .status(let status, let headers, let size):
        let body = [UInt8](repeating: UInt8(ascii: "x"), count: size)
        let response = headers.reduce(HTTPResponse(status: status, type: "text/plain", body: body))
        {
          $0.with($1.name, $1.value)
        }
        reply.send(response)
      case .silence: state.withLock { $0.held.append(reply) }
      case .hangUp: reply.close()
      }
      pthread_mutex_lock(mutex)
      pthread_cond_broadcast(changed)
      pthread_mutex_unlock(mutex)
    }

    var requests: [HTTPRequest] { state.withLock { $0.requests } }

    func behave(_ behaviour: @escaping Behaviour) { state.withLock { $0.behaviour = behaviour } }

    func letGo() {
      for reply in state.withLock({ $0.held }) { reply.close() }
    }

    /// Returns when so many have come, or after two minutes.
    func wait(for count: Int) -> [HTTPRequest] {
      var end = timespec()
      clock_gettime(CLOCK_REALTIME, &end)
      end.tv_sec += 120
      pthread_mutex_lock(mutex)
      while requests.count < count, pthread_cond_timedwait(changed, mutex, &end) == 0 {}
      pthread_mutex_unlock(mutex)
      return requests
    }
  }

  private let box: Box
  private let server: HTTPServer
  private let isSecure: Bool
  var url: String {
    isSecure
      ? "https://localhost:\(server.port)/hook" : "http://127.0.0.1:\(server.port)/hook"
  }

  struct Failure: Error {}

  init(
    tls: TLSIdentity? = nil, _ behaviour: @escaping Behaviour = { _, _ in .status(204) }
  ) throws {
    isSecure = tls != nil
    box = Box(behaviour)
    guard let address = BindAddress(host: "127.0.0.1", port: 0),
      let server = HTTPServer(
        address, tls: tls, loops: 1, limits: HTTPLimits(), handler: Handler(receiver: box))
    else { throw Failure() }
    self.server = server
  }

  var requests: [HTTPRequest] { box.requests }

  /// Answers otherwise from now on.
  func behave(_ behaviour: @escaping Behaviour) { box.behave(behaviour) }

  /// Returns when so many requests have come, or after two minutes.
  func wait(for count: Int) -> [HTTPRequest] { box.wait(for: count) }

  func stop() {
    box.letGo()
    server.stop()
  }
}
