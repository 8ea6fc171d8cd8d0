import AppStoreModel
import AppStoreSimulator
import HTTPListener
import Synchronization
import Testing

struct SimulatorListenerTests {
  private func listener(receiver: String? = nil) throws -> SimulatorListener {
    let store = SimulatedAppStore(app: SimulatedApp(environment: .production), seed: 5)
    let server = SimulatedServer(
      store, seed: 5, signer: JWSSigner(CertificateAuthority(seed: 5)),
      at: SimulatorListener.wallClock())
    return try #require(SimulatorListener(server, receiver: receiver))
  }

  private func header(_ listener: SimulatorListener) -> String {
    let key = listener.withServer { server, _ in server.key }
    return "Authorization: Bearer " + Token().text(key, at: SimulatorListener.wallClock())
  }

  @Test func `calls come over HTTP, to production and to the sandbox`() throws {
    let listener = try listener()
    defer { listener.stop() }
    let connection = try HTTPConnection()
    let control = try connection.post(
      "{\"product\":\"themes\",\"customer\":\"Ada\"}", to: listener.url + "/control/buy")
    let id = try JSONValue(json: control.body)["transactionId"]?.string ?? ""
    let path = "/inApps/v1/transactions/\(id)"
    let found = try connection.get(listener.url + path, headers: [header(listener)])
    #expect(found.status == 200)
    let missing = try connection.get(
      listener.url + "/sandbox" + path, headers: [header(listener)])
    #expect(missing.status == 404)
    #expect(try connection.get(listener.url + path).status == 401)
  }

  @Test func `a call that hangs or is closed gets no answer`() throws {
    let listener = try listener()
    defer { listener.stop() }
    for fault in ["{\"close\":true}", "{\"hang\":true}"] {
      _ = try HTTPConnection().post(fault, to: listener.url + "/control/fail")
      let connection = try HTTPConnection(timeoutMilliseconds: 500)
      #expect(throws: PostingFailure.self) {
        try connection.get(
          listener.url + "/inApps/v1/transactions/1", headers: [header(listener)])
      }
    }
  }

  @Test func `what happens is posted to the receiver, and retried when time travels`() throws {
    let receiver = Receiver()
    let address = try #require(BindAddress(host: "127.0.0.1", port: 0))
    let server = try #require(HTTPServer(address, limits: HTTPLimits(), handler: receiver))
    defer { server.stop() }
    let listener = try listener(receiver: "http://127.0.0.1:\(server.port)/apple")
    defer { listener.stop() }
    let connection = try HTTPConnection()
    receiver.status.store(503, ordering: .relaxed)
    _ = try connection.post(
      "{\"product\":\"pro\",\"customer\":\"Ada\"}", to: listener.url + "/control/buy")
    #expect(receiver.waits(for: 1))
    receiver.status.store(200, ordering: .relaxed)
    _ = try connection.post("{\"hours\":1}", to: listener.url + "/control/travel")
    #expect(receiver.waits(for: 2))
    let bodies = receiver.bodies.withLock { $0 }
    #expect(bodies[0] == bodies[1])
    let outer = try Caller.payload(JSONValue(json: bodies[0])["signedPayload"]?.string)
    #expect(outer["notificationType"]?.string == "SUBSCRIBED")
  }

  @Test func `a port that is taken is refused`() throws {
    let listener = try listener()
    defer { listener.stop() }
    let store = SimulatedAppStore(seed: 1)
    let server = SimulatedServer(
      store, seed: 1, signer: JWSSigner(CertificateAuthority(seed: 1)), at: Caller.now)
    #expect(SimulatorListener(server, port: listener.port) == nil)
  }
}

/// Keeps what is posted to it.
private final class Receiver: RequestHandler {
  let status = Atomic<Int>(200)
  let bodies = Mutex<[[UInt8]]>([])

  func handle(_ request: HTTPRequest, reply: Reply) {
    bodies.withLock { $0.append(request.body) }
    reply.send(HTTPResponse(status: status.load(ordering: .relaxed)))
  }

  func refusal(_ reason: Refusal, id: String) -> HTTPResponse { HTTPResponse(status: 400) }

  /// Whether so many posts come within half a minute.
  func waits(for count: Int) -> Bool {
    let end = ContinuousClock.now + .seconds(30)
    while ContinuousClock.now < end {
      if bodies.withLock({ $0.count }) >= count { return true }
    }
    return false
  }
}
