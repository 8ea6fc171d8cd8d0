import AppStoreModel
import AppStoreSimulator
import HTTPListener
import Testing

@testable import LedgerServer

/// HTTPS by the server itself, without a proxy in front of it.
struct TLSTests {
  private let identity: TestIdentity

  init() throws {
    identity = try TestIdentity()
  }

  private func serving(
    host: String = "127.0.0.1", _ body: (ServedLedger, String) throws -> Void
  ) throws {
    let served = try ServedLedger { configuration in
      configuration.listener.host = host
      configuration.listener.certificatePath = identity.certificatePath
      configuration.listener.keyPath = identity.keyPath
    }
    defer { served.stop() }
    try body(served, "https://127.0.0.1:\(served.service.port)")
  }

  @Test(arguments: ["127.0.0.1", "0.0.0.0"])
  func `with TLS the server may be reached from anywhere`(host: String) throws {
    try serving(host: host) { served, url in
      let client = try HTTPConnection(authorities: identity.certificatePath)
      #expect(try client.get(url + "/healthz").body == Array("ok\n".utf8))
      let customer = served.stage.store.enroll("u")
      _ = try served.stage.buy(.themes, customer)
      let jws = try #require(served.stage.store.notifications.map(served.signer.sign).first)
      let body = "{\"signedPayload\":\"\(jws)\"}"
      #expect(try client.post(body, to: url + "/apple/notifications").status == 200)
      #expect(try client.post(body, to: url + "/apple/notifications").status == 200)
    }
  }

  @Test func `a client that does not know the certificate gets no answer`() throws {
    try serving { _, url in
      #expect(throws: PostingFailure.self) {
        try HTTPConnection(timeoutMilliseconds: 5_000).get(url + "/healthz")
      }
    }
  }

  @Test func `what is no TLS gets no answer`() throws {
    try serving { served, _ in
      let client = try RawClient(port: served.service.port)
      client.send("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
      #expect(throws: RawClient.Failure.self) { try client.answer() }
    }
  }

  @Test func `files that are no identity are named with what is wrong`() throws {
    let other = try TestIdentity()
    let good = identity.certificatePath
    let none = identity.keyPath + ".none"
    let rows: [(certificate: String, key: String, says: String)] = [
      (none, identity.keyPath, "\(none) cannot be read: No such file or directory"),
      (good, none, "\(none) cannot be read: No such file or directory"),
      (
        identity.keyPath, identity.keyPath,
        "\(identity.keyPath) cannot be used for TLS: there is no certificate in PEM form"
      ),
      (
        good, good,
        "\(good) cannot be used for TLS: there is no private key in PEM form without a passphrase"
      ),
      (
        good, identity.lockedKeyPath,
        "\(identity.lockedKeyPath) cannot be used for TLS: "
          + "there is no private key in PEM form without a passphrase"
      ),
      (
        good, other.keyPath,
        "\(other.keyPath) cannot be used for TLS: the key is not that of the first certificate"
      ),
    ]
    for row in rows {
      let error = #expect(throws: ServiceError.self) {
        try ServedLedger {
          $0.listener.certificatePath = row.certificate
          $0.listener.keyPath = row.key
        }.stop()
      }
      #expect(error?.description == row.says)
      #expect(error?.advice.hasSuffix(".") == true)
    }
  }
}
