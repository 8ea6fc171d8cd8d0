import HTTPListener
import AppStoreModel
import EntitlementLedger
import Synchronization
import Testing

@testable import LedgerServer

struct RouterTests {
  private final class Observed: RequestObserver {
    let routes = Mutex<[String]>([])

    func answered(
      _ request: HTTPRequest, route: String, status: Int, problem: Problem?, milliseconds: Int64
    ) {
      routes.withLock { $0.append("\(request.method) \(route) \(status)") }
    }

    func refused(id: String, _ problem: Problem) {
      routes.withLock { $0.append(problem.code.rawValue) }
    }
  }

  private static let secret = KeySecret(presented: "cb_read_x")

  private func serving(
    _ observed: Observed = Observed(), _ body: (RawClient) throws -> Void
  ) throws {
    let key = APIKey(
      name: "k", scope: .read, bundleIds: ["a", "b"], environment: .sandbox,
      madeAt: Timestamp(millisecondsSince1970: 0), secretDigest: Self.secret.digest)
    let routes = [
      Route.get("/open/{name}", .open) { call throws(Problem) in .text(call["name"]) },
      Route.get("/read", .readers) { call throws(Problem) in
        .text(try call.scope().bundleId)
      }.reading(.app),
      Route.write("PUT", "/read", .administrators, .none) { _, done throws(Problem) in
        done(.success(.text("")))
      },
      Route.get("/number", .open) { call throws(Problem) in
        .text(String(try call.number("n", in: 1...9, default: 5)))
      },
      Route.get("/moment", .open) { call throws(Problem) in
        .text(String(try call.moment()?.millisecondsSince1970 ?? -1))
      },
      Route.get("/json", .open) { call throws(Problem) in
        .json(try call.json().json)
      },
    ]
    let router = Router(
      routes: routes, keys: KeyRing([key]), realm: .apple, observer: observed)
    let address = try #require(BindAddress(host: "127.0.0.1", port: 0))
    let server = try #require(HTTPServer(address, limits: HTTPLimits(), handler: router))
    defer { server.stop() }
    try body(try RawClient(port: server.port))
  }

  @Test(arguments: [
    ("GET /open/x%20y", "", 200, "x y"),
    ("HEAD /open/x", "", 200, ""),
    ("GET /number?n=1&m=2", "", 200, "1"),
    ("GET /", "", 404, "unknownRoute"),
    ("GET /open", "", 404, "unknownRoute"),
    ("GET /open/", "", 404, "unknownRoute"),
    ("DELETE /read", "", 405, "methodNotAllowed"),
    ("GET /read", "", 401, "unauthenticated"),
    ("GET /read", "Basic x", 401, "unauthenticated"),
    ("GET /read", "Bearer nonsense", 401, "unauthenticated"),
    ("GET /read", "Bearer cb_read_x", 400, "badParameter"),
    ("GET /read?app=b", "bearer cb_read_x", 200, "b"),
    ("GET /read?app=c", "Bearer cb_read_x", 403, "appForbidden"),
    ("PUT /read", "Bearer cb_read_x", 403, "scopeMissing"),
    ("GET /number", "", 200, "5"),
    ("GET /number?n=10", "", 400, "badParameter"),
    ("GET /moment?at=12", "", 200, "12"),
    ("GET /moment?at=yesterday", "", 400, "badParameter"),
    ("GET /json", "", 400, "malformedBody"),
  ])
  func `a request finds its answer`(
    line: String, authorization: String, status: Int, content: String
  ) throws {
    try serving { client in
      let field = authorization.isEmpty ? "" : "Authorization: \(authorization)\r\n"
      client.send("\(line) HTTP/1.1\r\nHost: x\r\n\(field)Content-Length: 0\r\n\r\n")
      if line.hasPrefix("HEAD") {
        let header = try client.header()
        #expect(header.contains(" 200 "))
        return
      }
      let answer = try client.answer()
      #expect(answer.status == status)
      #expect(answer.body.contains(content))
      #expect(answer.header.contains("X-Request-Id: "))
    }
  }

  @Test func `a wrong method is told the right ones`() throws {
    try serving { client in
      client.send("DELETE /read HTTP/1.1\r\nHost: x\r\n\r\n")
      let header = try client.answer().header
      #expect(header.contains("Allow: GET, HEAD, PUT\r\n"))
    }
  }

  @Test func `the observer hears of every answer, by its route`() throws {
    let observed = Observed()
    try serving(observed) { client in
      client.send("GET /open/secret HTTP/1.1\r\nHost: x\r\n\r\n")
      _ = try client.answer()
      client.send("GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n")
      _ = try client.answer()
      client.send("GET /open HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n")
      _ = try client.answer()
    }
    #expect(
      observed.routes.withLock { $0 } == [
        "GET /open/{name} 200", "GET  404", "malformedRequest",
      ])
  }
}
