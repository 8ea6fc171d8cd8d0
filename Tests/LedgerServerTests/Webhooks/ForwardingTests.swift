import AppStoreModel
import AppStoreSimulator
import HTTPListener
import Testing

@testable import LedgerServer

/// What goes on to the address that Apple posted to before.
struct ForwardingTests {
  private func serving(
    _ targets: [TestReceiver], body: (ServedLedger) throws -> Void
  ) throws {
    let served = try ServedLedger { configuration in
      configuration.forwarding = targets.map { .init(url: $0.url, isTrusted: true) }
    }
    defer {
      for target in targets { target.stop() }
      served.stop()
    }
    try body(served)
  }

  private static func unknown(_ bundleId: String) -> String {
    """
    {"notificationType":"SOMETHING_2027","notificationUUID":"n","data":{"appAppleId":1234567890,\
    "bundleId":"\(bundleId)","environment":"Sandbox"}}
    """
  }

  private func signed(_ json: String) -> String {
    JWSSigner(CertificateAuthority(seed: 1)).sign(Array(json.utf8))
  }

  @Test(.timeLimit(.minutes(4)))
  func `a body goes on byte for byte, whatever stands around the signed text`() throws {
    let target = try TestReceiver()
    try serving([target]) { served in
      _ = try served.stage.buy(.themes, served.stage.store.enroll("u"))
      let jws = try #require(served.stage.store.notifications.map(served.signer.sign).first)
      let test = signed(
        #"{"notificationType":"TEST","notificationUUID":"u","data":{"appAppleId":1234567890,"bundleId":"com.example.app","environment":"Sandbox"}}"#
      )
      served.moment.set(served.stage.now)
      let bodies = [
        "{ \"more\" : [1, null],\n \"signedPayload\":\"\(jws)\" , \"x\": \"\u{E4}\"}\r\n",
        "{\"signedPayload\":\"\\u0065\(test.dropFirst())\"}",
      ]
      for body in bodies {
        let answer = try served.call(
          "POST /apple/notifications", body: body,
          fields: "Content-Type: application/json; charset=utf-8\r\n")
        #expect(answer.status == 200)
      }
      let got = target.wait(for: 2)
      #expect(Set(got.map(\.body)) == Set(bodies.map { Array($0.utf8) }))
      #expect(got.allSatisfy { $0.headers["content-type"] == "application/json; charset=utf-8" })
      // What Apple repeats is forwarded once.
      #expect(try served.call("POST /apple/notifications", body: bodies[0]).status == 200)
      _ = try served.stage.buy(.pro, served.stage.store.enroll("v"))
      let next = try #require(served.stage.store.notifications.last.map(served.signer.sign))
      #expect(try served.post(next) == 200)
      let all = target.wait(for: 3)
      #expect(all.count == 3)
      #expect(all.last?.body == Array("{\"signedPayload\":\"\(next)\"}".utf8))
    }
  }

  @Test(.timeLimit(.minutes(4)))
  func `what is not understood and what is for another app goes on, a forgery does not`() throws {
    let target = try TestReceiver()
    try serving([target]) { (served: ServedLedger) throws in
      let stranger = JWSSigner(CertificateAuthority(seed: 2))
      let json = Self.unknown("com.example.app")
      let other = Self.unknown("com.other.app")
      #expect(try served.post(stranger.sign(Array(json.utf8))) == 400)
      #expect(try served.post("a.b.c") == 400)
      #expect(try served.post(signed(other)) == 403)
      #expect(try served.post(signed(json)) == 200)
      let bodies = [other, json].map { Array("{\"signedPayload\":\"\(signed($0))\"}".utf8) }
      let got: [[UInt8]] = target.wait(for: 2).map(\.body)
      #expect(Set(got) == Set(bodies))
    }
  }

  @Test(.timeLimit(.minutes(4)))
  func `a dead target delays nobody, is shown, and gets everything in the end`() throws {
    let dead = try TestReceiver { _, _ in .status(500) }
    let good = try TestReceiver()
    try serving([dead, good]) { served in
      for name in ["a", "b", "c"] {
        _ = try served.stage.buy(.themes, served.stage.store.enroll(name))
      }
      _ = try served.deliver()
      #expect(good.wait(for: 3).count == 3)
      _ = dead.wait(for: 1)
      var readiness = ""
      for _ in 0..<100_000 where !readiness.contains("forwardingFails") {
        readiness = try served.call("GET /readyz").body
      }
      #expect(readiness.contains("forwardingFails"))
      dead.behave { _, _ in .status(200) }
      let before = dead.requests.count
      served.moment.set(served.moment.get().adding(.hours(3)))
      let got = dead.wait(for: before + 3).dropFirst(before)
      #expect(Set(got.map(\.body)) == Set(good.requests.map(\.body)))
    }
  }
}
