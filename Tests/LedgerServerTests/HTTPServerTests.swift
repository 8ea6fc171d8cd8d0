import HTTPListener
import AppStoreModel
import Synchronization
import Testing

@testable import LedgerServer

struct HTTPServerTests {
  private func serving(
    _ handler: EchoHandler = EchoHandler(), _ adapt: (inout HTTPLimits) -> Void = { _ in },
    _ body: (HTTPServer) throws -> Void
  ) throws {
    var limits = HTTPLimits()
    adapt(&limits)
    let address = try #require(BindAddress(host: "127.0.0.1", port: 0))
    let server = try #require(HTTPServer(address, limits: limits, handler: handler))
    defer { server.stop() }
    try body(server)
  }

  @Test(arguments: [false, true])
  func `an answer may come from any thread`(fromAnotherThread: Bool) throws {
    try serving(EchoHandler(fromAnotherThread: fromAnotherThread)) { server in
      let client = try RawClient(port: server.port)
      for _ in 0..<50 {
        client.send("GET /a%2Fb/c?x=1 HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try client.answer().body == "GET /a/b|c 0")
      }
    }
  }

  @Test(arguments: [false, true])
  func `a body of 300 KB arrives whole`(fromAnotherThread: Bool) throws {
    try serving(EchoHandler(fromAnotherThread: fromAnotherThread)) { server in
      let client = try RawClient(port: server.port)
      client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 300000\r\n\r\n")
      client.send([UInt8](repeating: 65, count: 300_000))
      #expect(try client.answer().body == "POST / 300000")
    }
  }

  @Test(arguments: [false, true])
  func `200 pipelined requests are answered in order`(fromAnotherThread: Bool) throws {
    try serving(EchoHandler(fromAnotherThread: fromAnotherThread)) { server in
      let client = try RawClient(port: server.port)
      client.send(
        (0..<200).map { "GET /\($0) HTTP/1.1\r\nHost: x\r\n\r\n" }.joined())
      for number in 0..<200 { #expect(try client.answer().body == "GET /\(number) 0") }
    }
  }

  @Test func `128 connections are served at the same time`() throws {
    try serving(EchoHandler(fromAnotherThread: true)) { server in
      let clients = try (0..<128).map { _ in try RawClient(port: server.port) }
      for _ in 0..<5 {
        for client in clients { client.send("GET /x HTTP/1.1\r\nHost: x\r\n\r\n") }
        for client in clients { #expect(try client.answer().status == 200) }
      }
    }
  }

  @Test(arguments: [
    "GET / HTTP/1.1\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\na",
    "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
    "GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n",
    "GET /%00 HTTP/1.1\r\nHost: x\r\n\r\n",
    "GET /%ff HTTP/1.1\r\nHost: x\r\n\r\n",
  ])
  func `a request that can be read in two ways is refused`(request: String) throws {
    try serving { server in
      let client = try RawClient(port: server.port)
      client.send(request)
      #expect(try client.answer().status == 400)
      #expect(client.isClosed())
    }
  }

  @Test func `a body over the limit is refused before it is read`() throws {
    try serving { server in
      let client = try RawClient(port: server.port)
      client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1048577\r\n\r\n")
      #expect(try client.answer().status == 413)
    }
  }

  @Test func `a chunked body over the limit is refused`() throws {
    try serving(EchoHandler(), { $0.bodySize = 10 }) { server in
      let client = try RawClient(port: server.port)
      client.send(
        "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
          + "8\r\nabcdefgh\r\n8\r\nabcdefgh\r\n0\r\n\r\n")
      #expect(try client.answer().status == 413)
    }
  }

  @Test func `too many bytes of bodies at once are turned away`() throws {
    try serving(EchoHandler(), { $0.bodiesInFlight = 10 }) { server in
      let client = try RawClient(port: server.port)
      client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 11\r\n\r\nabcdefghijk")
      #expect(try client.answer().status == 503)
      #expect(server.shared.bodyBytes.load(ordering: .relaxed) == 0)
    }
  }

  @Test func `one address cannot take the room for the bodies of the others`() throws {
    try serving(
      EchoHandler(),
      {
        $0.bodiesInFlight = 40_000
        $0.bodiesInFlightPerAddress = 10_000
      }
    ) { server in
      let head = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n"
      let half = String(repeating: "a", count: 999)
      let slow = try (0..<64).map { _ in try RawClient(port: server.port, from: "127.0.0.2") }
      for client in slow { client.send(head + half) }
      while server.shared.bodyBytes.load(ordering: .relaxed) < 9_990 {}
      let others = try (3..<13).map { try RawClient(port: server.port, from: "127.0.0.\($0)") }
      for client in others {
        client.send(head + half + "a")
        #expect(try client.answer().status == 200)
      }
      let ends = try slow.map { client in
        client.send("a")
        return try client.answer().status
      }
      #expect(ends.filter { $0 == 200 }.count == 10)
      #expect(ends.filter { $0 == 503 }.count == 54)
      while server.shared.bodyBytes.load(ordering: .relaxed) != 0 {}
      let again = try RawClient(port: server.port, from: "127.0.0.2")
      again.send(head + half + "a")
      #expect(try again.answer().status == 200)
    }
  }

  @Test(arguments: [
    "", "GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ",
    "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\na",
  ])
  func `a client that stops in the middle is disconnected`(beginning: String) throws {
    let short = TimeSpan(milliseconds: 50)
    try serving(
      EchoHandler(),
      {
        $0.headerTime = short
        $0.bodyTime = short
      }
    ) { server in
      let client = try RawClient(port: server.port)
      client.send(beginning)
      #expect(client.isClosed())
    }
  }

  @Test func `a connection is closed when nothing is asked for long`() throws {
    try serving(EchoHandler(), { $0.idleTime = TimeSpan(milliseconds: 50) }) { server in
      let client = try RawClient(port: server.port)
      client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
      #expect(try client.answer().status == 200)
      #expect(client.isClosed())
    }
  }

  @Test func `a shutdown answers what is in flight`() throws {
    let parked = EchoHandler.Parked()
    let address = try #require(BindAddress(host: "127.0.0.1", port: 0))
    let server = try #require(
      HTTPServer(address, limits: HTTPLimits(), handler: EchoHandler(parked: parked)))
    let client = try RawClient(port: server.port)
    client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    while parked.replies.withLock({ $0.isEmpty }) {}
    let stopper = WorkerThread { server.stop() }
    for reply in parked.replies.withLock({ $0 }) { reply.send(.text("late")) }
    #expect(try client.answer().body == "late")
    stopper.join()
  }

  @Test func `a stop ends the connection of what it can wait for no longer`() throws {
    let parked = EchoHandler.Parked()
    let address = try #require(BindAddress(host: "127.0.0.1", port: 0))
    var limits = HTTPLimits()
    limits.shutdownTime = TimeSpan(milliseconds: 50)
    let server = try #require(
      HTTPServer(address, limits: limits, handler: EchoHandler(parked: parked)))
    let client = try RawClient(port: server.port)
    client.send(String(repeating: "GET / HTTP/1.1\r\nHost: x\r\n\r\n", count: 50))
    while parked.replies.withLock({ $0.isEmpty }) {}
    server.stop()
    #expect(try client.answer().status == 503)
    #expect(client.isClosed())
    #expect(parked.replies.withLock { $0.count } == 1)
  }

  @Test func `a reply to a client that has left is dropped`() throws {
    let parked = EchoHandler.Parked()
    try serving(EchoHandler(parked: parked)) { server in
      do {
        let client = try RawClient(port: server.port)
        client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        while parked.replies.withLock({ $0.isEmpty }) {}
      }
      for reply in parked.replies.withLock({ $0 }) { reply.send(.text("nobody")) }
    }
  }

  @Test func `an address that is taken is refused`() throws {
    let foreign = try #require(BindAddress(host: "203.0.113.1", port: 80))
    #expect(HTTPServer(foreign, limits: HTTPLimits(), handler: EchoHandler()) == nil)
    #expect(BindAddress(host: "example.com", port: 80) == nil)
    #expect(BindAddress(host: "::1", port: 80)?.isLoopback == true)
    #expect(BindAddress(host: "0.0.0.0", port: 80)?.isLoopback == false)
  }
}
