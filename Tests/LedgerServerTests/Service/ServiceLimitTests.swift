import AppStoreModel
import AppStoreSimulator
import HTTPListener
import Testing

@testable import LedgerServer

/// What one client may ask of a served ledger, and how a stop treats it.
struct ServiceLimitTests {
  private func serving(
    _ configured: (inout Configuration) -> Void, _ body: (ServedLedger) throws -> Void
  ) throws {
    let served = try ServedLedger(configured: configured)
    defer { served.stop() }
    try body(served)
  }

  @Test(arguments: ["POST /apple/notifications", "POST /v1/transactions", "GET /healthz"])
  func `a body over the limit is refused with its code`(line: String) throws {
    try serving({ $0.limits.http.bodySize = 2_048 }) { served in
      let client = try RawClient(port: served.service.port)
      client.send("\(line) HTTP/1.1\r\nHost: x\r\nContent-Length: 2049\r\n\r\n")
      let answer = try client.answer()
      #expect(answer.status == 413)
      #expect(answer.body.contains(#""code":"bodyTooLarge""#))
      #expect(try served.call("GET /metrics", .read).body.contains(#"code="bodyTooLarge"} 1"#))
    }
  }

  static let crowded: [(name: String, adapt: @Sendable (inout Limits) -> Void)] = [
    ("bodies", { $0.http.bodiesInFlight = 10 }), ("checks and writes", { $0.requestsWaiting = 0 }),
  ]

  @Test(arguments: crowded.indices)
  func `too much at once is turned away with the word to come back`(row: Int) throws {
    let row = Self.crowded[row]
    try serving({ row.adapt(&$0.limits) }) { served in
      for _ in 0..<3 {
        let answer = try served.call(
          "POST /apple/notifications", body: #"{"signedPayload":"a.b.c"}"#)
        #expect(answer.status == 503, "\(row.name)")
        #expect(answer.header.contains("\r\nRetry-After: 1\r\n"))
        #expect(answer.body.contains(#""code":"overloaded""#))
      }
      let health = try served.call("GET /healthz")
      #expect(health.status == 200)
    }
  }

  @Test func `a header that drips is cut off at its deadline, however often it drips`() throws {
    try serving({ $0.limits.http.headerTime = TimeSpan(milliseconds: 200) }) { served in
      let client = try RawClient(port: served.service.port)
      client.send("GET /healthz HTTP/1.1\r\n")
      let begin = MonotonicClock.milliseconds
      while client.sends("X: y\r\n"), MonotonicClock.milliseconds - begin < 20_000 {}
      #expect(MonotonicClock.milliseconds - begin < 20_000)
      #expect(try served.call("GET /healthz").status == 200)
    }
  }

  @Test(arguments: [1, 2, 4])
  func `connections are counted over all threads`(threads: Int) throws {
    let adapt: (inout Configuration) -> Void = {
      $0.listener.threads = threads
      $0.limits.http.connections = 6
      $0.limits.http.connectionsPerAddress = 4
    }
    try serving(adapt) { served in
      var kept: [RawClient] = []
      func comesIn(_ address: String) throws -> Bool {
        let client = try RawClient(port: served.service.port, from: address)
        client.send("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        guard (try? client.answer().status) == 200 else { return false }
        kept.append(client)
        return true
      }
      for _ in 0..<4 { #expect(try comesIn("127.0.0.1")) }
      #expect(try !comesIn("127.0.0.1"))
      for _ in 0..<2 { #expect(try comesIn("127.0.0.2")) }
      #expect(try !comesIn("127.0.0.3"))
      kept.removeFirst()
      var isBack = false
      let begin = MonotonicClock.milliseconds
      while !isBack, MonotonicClock.milliseconds - begin < 20_000 {
        isBack = try comesIn("127.0.0.3")
      }
      #expect(isBack)
    }
  }

  @Test func `a stop answers a notification whose body is half there`() throws {
    let served = try ServedLedger()
    let customer = served.stage.store.enroll("u")
    _ = try served.stage.buy(.themes, customer)
    let jws = try #require(served.stage.store.notifications.map(served.signer.sign).first)
    let body = Array("{\"signedPayload\":\"\(jws)\"}".utf8)
    let client = try RawClient(port: served.service.port)
    client.send(
      "POST /apple/notifications HTTP/1.1\r\nHost: x\r\nContent-Length: \(body.count)\r\n\r\n")
    client.send(Array(body[..<100]))
    try served.waitForConnection()
    let stopper = WorkerThread { [service = served.service] in service.stop() }
    client.send(Array(body[100...]))
    #expect(try client.answer().status == 200)
    #expect(client.isClosed())
    stopper.join()
    #expect(throws: RawClient.Failure.self) { try RawClient(port: served.service.port) }
  }

  @Test func `a stop waits no longer than it may`() throws {
    let served = try ServedLedger { $0.limits.http.shutdownTime = TimeSpan(milliseconds: 100) }
    let client = try RawClient(port: served.service.port)
    client.send("POST /apple/notifications HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{")
    try served.waitForConnection()
    let begin = MonotonicClock.milliseconds
    served.stop()
    #expect(MonotonicClock.milliseconds - begin < 5_000)
    #expect(client.isClosed())
  }

  @Test func `a local port shows metrics and routes without a key, and nothing else`() throws {
    try serving({ $0.listener.localPort = 0 }) { served in
      let port = try #require(served.service.localPort)
      #expect(port != served.service.port)
      let rows = [
        ("GET /healthz", 200), ("GET /readyz", 200), ("GET /metrics", 200),
        ("GET /openapi.json", 200), ("GET /v1/events", 404), ("GET /v1/quarantine", 404),
        ("POST /apple/notifications", 404), ("POST /v1/transactions", 404),
      ]
      for (line, status) in rows {
        #expect(try served.call(line, body: "{}", port: port).status == status, "\(line)")
      }
      let described = try served.call("GET /openapi.json", port: port).body
      #expect(described == (try served.call("GET /openapi.json", .read).body))
      #expect(described.contains("/v1/spend/authorizations/{id}/settle"))
      #expect(try served.call("GET /metrics").status == 401)
      #expect(try served.call("GET /openapi.json").status == 401)
      #expect(try served.call("GET /metrics", .device).status == 403)
    }
  }

  @Test func `a local port that is taken stops the start`() throws {
    try serving({ $0.listener.localPort = 0 }) { served in
      let taken = served.service.localPort
      let error = #expect(throws: ServiceError.self) {
        try ServedLedger { $0.listener.localPort = taken }.stop()
      }
      #expect(error?.description.hasSuffix("cannot be bound: Address already in use") == true)
    }
  }
}

extension ServedLedger {
  /// Until the server has taken a connection in.
  fileprivate func waitForConnection() throws {
    let open = "clawback_connections 2"
    let begin = MonotonicClock.milliseconds
    while try !call("GET /metrics", .read).body.contains(open) {
      try #require(MonotonicClock.milliseconds - begin < 20_000)
    }
  }
}
