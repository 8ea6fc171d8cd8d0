import AppStoreModel
import Foundation
import HTTPListener
import LedgerStorage
import Testing

@testable import LedgerServer

/// Receivers that prove who they are, and those that do not, over real TLS.
struct DeliveryTLSTests {
  private let authority: TestAuthority

  init() throws {
    authority = try TestAuthority()
  }

  /// What is wrong with a receiver's certificate, and what is said of it.
  static let frauds: [(wish: TestAuthority.Wish, reason: String)] = [
    (.init(begins: -7_200, ends: -3_600), "certificateExpired"),
    (.init(begins: 3_600, ends: 7_200), "certificateExpired"),
    (.init(vouchesForItself: true), "certificateUntrusted"),
    (.init(names: "DNS:other.example.com"), "certificateName"),
    (.init(names: "IP:127.0.0.1"), "certificateName"),
  ]

  private func answer(
    _ receiver: TestReceiver, authorities: String?
  ) throws -> DispatchAnswer {
    var settings = WireSettings(connectTimeout: .seconds(60), timeout: .seconds(60))
    settings.certificateFile = authorities
    let wire = try #require(CurlWire(settings))
    defer { wire.close() }
    return try wire.answer(to: receiver.url)
  }

  @Test(.timeLimit(.minutes(4)))
  func `a receiver with a good certificate of a trusted authority gets the delivery`() throws {
    let receiver = try TestReceiver(tls: authority.identity())
    defer { receiver.stop() }
    let answer = try answer(receiver, authorities: authority.rootPath)
    #expect(answer.isSuccess, "\(answer)")
    #expect(receiver.requests.first?.body == Array("{}".utf8))
  }

  @Test(.timeLimit(.minutes(4)), arguments: frauds.indices)
  func `a certificate that proves nothing is refused, with what is wrong with it`(
    row: Int
  ) throws {
    let (wish, reason) = Self.frauds[row]
    let receiver = try TestReceiver(tls: authority.identity(wish))
    defer { receiver.stop() }
    let answer = try answer(receiver, authorities: authority.rootPath)
    #expect(answer.failure?.rawValue == reason && answer.status == nil)
    #expect(receiver.requests.isEmpty)
  }

  @Test(.timeLimit(.minutes(4)))
  func `an authority that this machine does not know vouches for nobody`() throws {
    let receiver = try TestReceiver(tls: authority.identity())
    defer { receiver.stop() }
    #expect(try answer(receiver, authorities: nil).failure == .certificateUntrusted)
    let other = try TestAuthority("Another root")
    let refused = try answer(receiver, authorities: other.rootPath)
    #expect(refused.failure == .certificateUntrusted)
    #expect(receiver.requests.isEmpty)
  }

  @Test(.timeLimit(.minutes(4)))
  func `what speaks no TLS is insecure`() throws {
    let receiver = try TestReceiver()
    defer { receiver.stop() }
    let wire = try #require(CurlWire(WireSettings(connectTimeout: .seconds(60))))
    defer { wire.close() }
    let url = "https" + receiver.url.dropFirst(4)
    #expect(try wire.answer(to: url).failure == .insecure)
  }

  @Test(.timeLimit(.minutes(4)))
  func `a running server delivers to the good one, and logs why each of the others got nothing`()
    throws
  {
    let good = try TestReceiver(tls: authority.identity())
    let bad = try Self.frauds.map { try TestReceiver(tls: authority.identity($0.wish)) }
    let folder = try TestFolder()
    let file = open(folder.file("log"), O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
    defer { close(file) }
    let served = try ServedLedger(log: Log(descriptor: file)) { configuration in
      configuration.webhooks.trustedURLs = Set(([good] + bad).map(\.url))
      configuration.webhooks.certificatePath = authority.rootPath
      configuration.webhooks.timeout = .seconds(60)
      configuration.webhooks.connectTimeout = .seconds(60)
    }
    let endpoints = try bad.map { try served.makeWebhook($0.url) }
    let made = try served.makeWebhook(good.url)
    try served.tell(0..<1)
    let request = try #require(good.wait(for: 1).first)
    #expect(try made.verifies(request))
    for (endpoint, fraud) in zip(endpoints, Self.frauds) {
      let attempt = try served.awaitAttempts(1, of: endpoint.id).last
      #expect(attempt?["failure"]?.string == fraud.reason)
      let test = try served.call("POST /v1/webhooks/\(endpoint.id)/test", .admin)
      #expect(test.body.contains(#""failure":"\#(fraud.reason)""#), "\(test.body)")
    }
    #expect(bad.allSatisfy { $0.requests.isEmpty })
    for receiver in [good] + bad { receiver.stop() }
    served.stop()
    let lines = try String(contentsOfFile: folder.file("log"), encoding: .utf8)
      .split(separator: "\n")
    for (endpoint, fraud) in zip(endpoints, Self.frauds) {
      #expect(
        lines.contains {
          $0.contains(#""event":"deliveryFailed","destination":"\#(endpoint.id)""#)
            && $0.contains(#""failure":"\#(fraud.reason)""#)
        })
    }
  }
}
