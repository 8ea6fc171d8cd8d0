import AppStoreModel
import ChanceSupport
import HTTPListener
import Synchronization
import Testing

private let head = "POST / HTTP/1.1\r\nHost: x\r\n"
private let chunked = head + "Transfer-Encoding: chunked\r\n\r\n"

/// What libmicrohttpd itself refuses, before any handler sees it.
struct MalformedRequestTests {
  /// A server, and a connection to it that asks for something before and after.
  private func serving(
    _ adapt: (inout HTTPLimits) -> Void = { _ in },
    _ body: (HTTPServer, (String) throws -> Void) throws -> Void
  ) throws {
    var limits = HTTPLimits()
    limits.headerTime = .seconds(60)
    adapt(&limits)
    let address = try #require(BindAddress(host: "127.0.0.1", port: 0))
    let server = try #require(HTTPServer(address, limits: limits, handler: EchoHandler()))
    defer { server.stop() }
    let witness = try RawClient(port: server.port)
    try body(server) { (after: String) throws in
      witness.send("GET /x HTTP/1.1\r\nHost: x\r\n\r\n")
      #expect(try witness.answer().status == 200, "\(after.debugDescription)")
      while server.shared.connections.load(ordering: .relaxed) > 1 {}
      #expect(server.shared.bodyBytes.load(ordering: .relaxed) == 0, "\(after.debugDescription)")
    }
  }

  @Test(
    arguments: [
      // The request line.
      ("GET /\r\n\r\n", 400), ("GET / HTTX/1.1\r\nHost: x\r\n\r\n", 400),
      ("GET / HTTP/1.1.1\r\nHost: x\r\n\r\n", 400), ("GET / HTTP/0.9\r\nHost: x\r\n\r\n", 505),
      ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505), ("GET / HTTP/3.0\r\nHost: x\r\n\r\n", 505),
      ("GET /\(String(repeating: "a", count: 70_000)) HTTP/1.1\r\nHost: x\r\n\r\n", 414),
      // The header.
      ("GET / HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nHost: x\r\nA: \(String(repeating: "a", count: 70_000))\r\n\r\n", 431),
      (
        "GET / HTTP/1.1\r\nHost: x\r\n\(String(repeating: "A: a\r\n", count: 20_000))\r\n", 431
      ),
      // The length.
      (head + "Content-Length: 5x\r\n\r\nabcde", 400),
      (head + "Content-Length: +5\r\n\r\nabcde", 400),
      (head + "Content-Length: 0x5\r\n\r\nabcde", 400), (head + "Content-Length: -5\r\n\r\n", 400),
      (head + "Content-Length: 99999999999999999999999\r\n\r\n", 413),
      // The chunks.
      (chunked + "zz\r\nabc\r\n0\r\n\r\n", 400), (chunked + "3\r\nabcdef\r\n0\r\n\r\n", 400),
      (chunked + "-1\r\nabc\r\n0\r\n\r\n", 400), (chunked + "fffffffffffffffff\r\nabc\r\n", 413),
    ] as [(String, Int)])
  func `it is answered with its status, the connection ends, and others are served`(
    request: String, status: Int
  ) throws {
    try serving { server, othersAreServed in
      try othersAreServed("")
      let client = try RawClient(port: server.port)
      client.send(request)
      let answer = try #require(client.everything())
      #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer.prefix(40))")
      #expect(answer.lowercased().contains("\r\nconnection: close\r\n"))
      try othersAreServed(request)
    }
  }

  @Test func `the hello of a TLS client at a plain port ends the connection`() throws {
    try serving({ $0.headerTime = TimeSpan(milliseconds: 50) }) { server, _ in
      var dice = Dice(seed: 3)
      for _ in 0..<8 {
        // Without a line's end it is never whole; with one it is no request.
        let random = (0..<200).map { _ in UInt8(dice.roll(0...255)) }
        let client = try RawClient(port: server.port)
        client.send([0x16, 0x03, 0x01, 0x00, 0xCB, 0x01, 0x00, 0x00, 0xC7, 0x03, 0x03] + random)
        let answer = try #require(client.everything())
        #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 4"))
      }
      while server.shared.connections.load(ordering: .relaxed) > 0 {}
    }
  }

  @Test func `requests broken by chance leave nothing behind`() throws {
    let samples = [
      "GET /a/b?c=d&e=%20f HTTP/1.1\r\nHost: x\r\nAccept: */*\r\n\r\n",
      head + "Content-Length: 11\r\n\r\nabcdefghijk",
      chunked + "3\r\nabc\r\n8;name=value\r\ndefghijk\r\n0\r\nTrailer: x\r\n\r\n",
      head + "Expect: 100-continue\r\nContent-Length: 3\r\n\r\nabc",
    ]
    // What is never whole ends by the limits, all of it at the same time.
    let short = TimeSpan.seconds(1)
    try serving({
      $0.headerTime = short
      $0.bodyTime = short
      $0.idleTime = short
    }) { server, _ in
      let clients = try (0..<200 as Range<UInt64>).map { seed in
        var dice = Dice(seed: seed)
        let client = try RawClient(port: server.port)
        client.send(Self.damaged(dice.pick(samples) ?? "", &dice))
        return client
      }
      for (seed, client) in clients.enumerated() {
        let answer = try #require(client.everything(), "seed \(seed)")
        #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 "), "seed \(seed)")
      }
      while server.shared.connections.load(ordering: .relaxed) > 0 {}
      #expect(server.shared.bodyBytes.load(ordering: .relaxed) == 0)
      let after = try RawClient(port: server.port)
      after.send("GET /x HTTP/1.1\r\nHost: x\r\n\r\n")
      #expect(try after.answer().status == 200)
    }
  }

  /// One to four bytes changed, taken out, put in or doubled.
  private static func damaged(_ text: String, _ dice: inout Dice) -> [UInt8] {
    let marks = Array("\r\n\0: /%;0fF-\u{7F}\t".utf8)
    var bytes = Array(text.utf8)
    for _ in 0..<dice.roll(1...4) {
      let place = dice.roll(below: bytes.count)
      switch dice.roll(below: 4) {
      case 0: bytes[place] = dice.pick(marks) ?? 0
      case 1: bytes.remove(at: place)
      case 2: bytes.insert(UInt8(dice.roll(0...255)), at: place)
      default: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 12)], at: place)
      }
    }
    return bytes
  }
}
