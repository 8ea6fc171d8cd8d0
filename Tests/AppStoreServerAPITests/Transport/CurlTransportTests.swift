import AppStoreModel
import AppStoreVerification
import Foundation
import HTTPListener
import Synchronization
import Testing

@testable import AppStoreServerAPI

struct CurlTransportTests {
  private static func call(
    _ url: String, _ method: String = "GET", body: [UInt8]? = nil,
    timeout: TimeSpan = .seconds(30)
  ) -> HTTPCall {
    HTTPCall(
      method: method, url: url, headers: ["Authorization: Bearer secret"], body: body,
      timeout: timeout)
  }

  private static func failure(
    _ call: HTTPCall, _ settings: TransportSettings = TransportSettings()
  ) async -> TransportFailure? {
    do throws(TransportFailure) {
      _ = try await CurlTransport(settings).send(call)
      return nil
    } catch {
      return error
    }
  }

  @Test func `status, body, date and pause come back`() async throws {
    try await LoopbackServer.serve { _ in
      HTTPResponse(status: 429, type: "text/html", body: Array("<p>späť".utf8))
        .with("Retry-After", "1790000000000")
    } _: { _, url in
      let answer = try await CurlTransport(TransportSettings()).send(Self.call(url + "/a"))
      #expect(answer.status == 429)
      #expect(answer.body == Array("<p>späť".utf8))
      #expect(answer.retryAfter == "1790000000000")
      #expect(answer.date != nil)
    }
  }

  @Test(arguments: [
    ("GET", nil), ("POST", [UInt8]()), ("POST", Array("{}".utf8)), ("PUT", [0, 1, 255]),
  ])
  func `method, path, header and body arrive as they are`(
    method: String, body: [UInt8]?
  ) async throws {
    try await LoopbackServer.serve { _ in
      HTTPResponse(status: 202)
    } _: { server, url in
      let transport = try CurlTransport(TransportSettings())
      let answer = try await transport.send(
        Self.call(url + "/in%2FApps/%2E%2E?a=b%20c", method, body: body))
      #expect(answer.status == 202 && answer.body.isEmpty)
      let request = try #require(server.requests.first)
      #expect(request.method == method)
      #expect(request.target.segments == ["in/Apps", ".."])
      #expect(request.body == body ?? [])
      #expect(request.headers["authorization"] == "Bearer secret")
      #expect(request.headers["expect"] == nil)
    }
  }

  @Test func `a redirect is not followed, so that the token stays here`() async throws {
    try await LoopbackServer.serve { request in
      HTTPResponse(status: 302).with("Location", "/elsewhere")
    } _: { server, url in
      let answer = try await CurlTransport(TransportSettings()).send(Self.call(url + "/a"))
      #expect(answer.status == 302)
      #expect(server.requests.count == 1)
    }
  }

  @Test func `many calls go over few connections`() async throws {
    try await LoopbackServer.serve { request in
      HTTPResponse(status: 200, body: Array(request.target.segments.joined().utf8))
    } _: { server, url in
      let transport = try CurlTransport(TransportSettings())
      let bodies = try await withThrowingTaskGroup { group in
        for number in 0..<200 {
          group.addTask {
            let answer = try await transport.send(Self.call(url + "/\(number)"))
            return String(decoding: answer.body, as: UTF8.self) == "\(number)"
          }
        }
        return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
      }
      #expect(bodies == 200)
    }
  }

  @Test func `what may not arrive twice goes over a connection of its own`() async throws {
    try await LoopbackServer.serve { _ in
      HTTPResponse(status: 202)
    } _: { server, url in
      let transport = try CurlTransport(TransportSettings())
      var call = Self.call(url, "PUT", body: [])
      _ = try await transport.send(call)
      call.mayBeRepeated = false
      #expect(try await transport.send(call).status == 202)
      #expect(server.requests.count == 2)
    }
  }

  @Test func `an answer that is too long is cut off`() async throws {
    try await LoopbackServer.serve { _ in
      HTTPResponse(status: 200, body: [UInt8](repeating: 32, count: 100_001))
    } _: { _, url in
      var settings = TransportSettings()
      settings.largestAnswer = 100_000
      #expect(await Self.failure(Self.call(url), settings) == .tooLarge)
      settings.largestAnswer = 100_001
      #expect(await Self.failure(Self.call(url), settings) == nil)
    }
  }

  @Test func `an answer that does not come is given up in time`() async throws {
    try await LoopbackServer.serve { _ in
      nil
    } _: { _, url in
      let hurry = Self.call(url, timeout: TimeSpan(milliseconds: 50))
      #expect(await Self.failure(hurry) == .timedOut)
    }
  }

  @Test func `cancelling ends a call at once`() async throws {
    let running = Mutex<Task<TransportFailure?, Never>?>(nil)
    try await LoopbackServer.serve { _ in
      // By the server's own thread: on a busy machine the test's task may come too late for it.
      running.withLock { $0 }?.cancel()
      return nil
    } _: { _, url in
      let task = running.withLock { running in
        let task = Task { await Self.failure(Self.call(url, timeout: .hours(1))) }
        running = task
        return task
      }
      #expect(await task.value == .cancelled)
    }
  }

  @Test func `a call that is cancelled before it begins is not sent`() async throws {
    try await LoopbackServer.serve { _ in
      HTTPResponse(status: 200)
    } _: { server, url in
      let task = Task {
        while !Task.isCancelled { await Task.yield() }
        return await Self.failure(Self.call(url))
      }
      task.cancel()
      #expect(await task.value == .cancelled)
      #expect(server.requests.isEmpty)
    }
  }

  @Test func `nobody at the other end is told from a broken connection`() async throws {
    let port = try await LoopbackServer.serve { _ in
      nil
    } _: { _, url in
      url
    }
    guard case .noConnection? = await Self.failure(Self.call(port)) else {
      Issue.record("a closed port is no connection")
      return
    }
    let broken = try BrokenServer()
    guard case .broken? = await Self.failure(Self.call(broken.url)) else {
      Issue.record("a connection that ends at once is broken")
      return
    }
  }

  @Test func `a stated proxy is used, and only then`() async throws {
    // A proxy is asked for a whole address, which our server refuses, but there it was.
    try await LoopbackServer.serve { _ in
      HTTPResponse(status: 200)
    } _: { server, url in
      var settings = TransportSettings()
      settings.proxy = url
      let transport = try CurlTransport(settings)
      #expect(try await transport.send(Self.call("http://127.0.0.1:1/x")).status == 418)
    }
  }

  @Test func `a certificate that nobody vouches for is refused`() async throws {
    let certificate = TestCertificate()
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("clawback-\(UUID().uuidString).pem")
    try Data(certificate.pem).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    try await LoopbackServer.serve(tls: certificate.identity) { _ in
      HTTPResponse(status: 200)
    } _: { server, url in
      guard case .insecure? = await Self.failure(Self.call(url)) else {
        Issue.record("an unknown certificate is insecure")
        return
      }
      #expect(server.requests.isEmpty)
      var settings = TransportSettings()
      settings.certificateFile = file.path
      #expect(await Self.failure(Self.call(url), settings) == nil)
      #expect(server.requests.count == 1)
    }
  }

  @Test func `a client of the whole asks over the network`() async throws {
    try await LoopbackServer.serve { request in
      request.target.segments.first == "sandbox"
        ? .json(Array(#"{"signedTransactionInfo":"a.b.c"}"#.utf8))
        : .json(Array(#"{"errorCode":4040010,"errorMessage":"x"}"#.utf8), status: 404)
    } _: { _, url in
      var settings = ClientSettings()
      settings.hosts = try AppStoreHosts(production: url, sandbox: url + "/sandbox")
      let client = try AppStoreServerClient(.sample(), settings)
      let located = try await client.locateTransaction("1")
      #expect(located.environment == .sandbox && located.answer.text == "a.b.c")
    }
  }
}
