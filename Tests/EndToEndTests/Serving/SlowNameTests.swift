import AppStoreModel
import AppStoreSimulator
import Foundation
import HTTPListener
import Synchronization
import Testing

/// Takes deliveries, and says how many.
private final class CountingReceiver: RequestHandler {
  private let taken = Mutex(0)

  var count: Int { taken.withLock { $0 } }

  func handle(_ request: HTTPRequest, reply: Reply) {
    taken.withLock { $0 += 1 }
    reply.send(HTTPResponse(status: 204))
  }

  func refusal(_ reason: Refusal, id: String) -> HTTPResponse { HTTPResponse(status: 400) }
}

/// Receivers whose names nobody can look up, because the machine's resolver never answers.
struct SlowNameTests {
  /// Stands in for a resolver that hangs: it is put before the system's own.
  private static let resolver = """
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <netdb.h>
    #include <string.h>
    #include <unistd.h>

    typedef int resolve(const char *, const char *, const struct addrinfo *, struct addrinfo **);

    int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints,
                    struct addrinfo **result) {
      if (node && strstr(node, ".slow.example")) for (;;) pause();
      return ((resolve *)dlsym(RTLD_NEXT, "getaddrinfo"))(node, service, hints, result);
    }
    """

  private func library(in folder: URL) throws -> String {
    let source = folder.appending(path: "resolver.c")
    let library = folder.appending(path: "resolver.so").path
    try Data(Self.resolver.utf8).write(to: source)
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["clang", "-shared", "-fPIC", "-o", library, source.path, "-ldl"]
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "the toolchain's clang builds no library")
    return library
  }

  @Test(.timeLimit(.minutes(5)))
  func `a name that never resolves costs its own endpoint a timeout, and nobody else anything`()
    throws
  {
    let receiver = CountingReceiver()
    let address = try #require(BindAddress(host: "127.0.0.1", port: 0))
    let listener = try #require(
      HTTPServer(address, loops: 1, limits: HTTPLimits(), handler: receiver))
    defer { listener.stop() }
    let store = try BusyStore(customers: 1)
    let site = try store.site()
    let good = "http://127.0.0.1:\(listener.port)/hook"
    let slow = (0..<3).map { "http://n\($0).slow.example/hook" }
    let trusted = ([good] + slow).map { "\"\($0)\"" }.joined(separator: ", ")
    try site.rewrite(
      "webhooks: { trustedURLs: [\(trusted)], connectSeconds: 1, answerSeconds: 1 }")
    let served = try ServedProcess(
      site, environment: ["LD_PRELOAD": try library(in: site.folder)])
    let endpoints = try ([good] + slow).map { try make($0, store, site) }
    #expect(try served.post(store.notifications[0]) == 200)
    while receiver.count < 1 { sched_yield() }
    for endpoint in endpoints.dropFirst() {
      // Each look is a process of its own, so this is no busy loop.
      while try !log(endpoint, site).contains("  failed  timedOut  ") {}
    }
    // What is sent over the same connections goes out while the names are still being looked up.
    let before = receiver.count
    #expect(try served.post(store.notifications[1]) == 200)
    while receiver.count == before { sched_yield() }
    #expect(served.stop() == 0)
  }

  private func make(_ url: String, _ store: BusyStore, _ site: ServedSite) throws -> String {
    let made = try ServedProcess.run([
      "webhooks", "create", url, "--environment", store.app.environment.rawValue, "--json",
      "--config", site.configuration,
    ])
    let json = try JSONValue(json: Array(made.output.utf8))
    return try #require(json["webhook"]?["id"]?.string, "\(made.diagnostics)")
  }

  private func log(_ endpoint: String, _ site: ServedSite) throws -> String {
    try ServedProcess.run([
      "webhooks", "deliveries", endpoint, "--config", site.configuration,
    ]).output
  }
}
