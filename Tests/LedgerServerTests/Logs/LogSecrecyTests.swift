import AppStoreModel
import AppStoreSimulator
import Glibc
import Testing

@testable import LedgerServer

/// Reads what a server writes to its log.
struct LogSecrecyTests {
  @Test func `no line holds a key, a token, a name of a customer or what was posted`() throws {
    var ends: [Int32] = [0, 0]
    pipe(&ends)
    let served = try ServedLedger(log: Log(descriptor: ends[1]))
    let customer = served.stage.store.enroll("u")
    let bought = try served.stage.buy(.themes, customer)
    _ = try served.deliver()
    let token = try #require(customer.appAccountToken)
    let copy = try #require(served.deviceCopies(of: customer).first)
    let forged = JWSSigner(CertificateAuthority(seed: 2)).sign(Array(#"{"a":"payload"}"#.utf8))
    let wrongKey = "cb_admin_" + String(repeating: "5e", count: 32)
    _ = try served.post(forged)
    for (line, body) in [
      ("POST /v1/transactions", "{\"signedTransactions\":[\"\(copy)\"]}"),
      ("PUT /v1/customers/\(token)/purchases/\(bought)", ""),
      ("GET /v1/customers/\(token)/entitlements?key=\(wrongKey)", ""),
      ("DELETE /v1/customers/\(token)/nothing/here", ""),
      ("POST /v1/spend/authorizations", "{\"customer\":\"\(token)\",\"amount\":\"secretive\"}"),
      ("POST /v1/spend", "\(token)"),
    ] {
      _ = try served.call(line, .spend, body: body)
      _ = try served.call(
        line, body: body, fields: "Authorization: Bearer \(wrongKey)\r\nX: \(token)\r\n")
    }
    let key = try served.secret(.spend)
    served.stop()
    close(ends[1])
    let log = Self.text(ends[0])
    close(ends[0])
    #expect(log.contains(#""event":"answered""#))
    let signed = [copy, forged].flatMap { $0.split(separator: ".").map(String.init) }
    for secret in [token, wrongKey, key, "payload", "secretive"] + signed {
      #expect(!log.contains(secret), "\(secret.prefix(20))")
    }
  }

  private static func text(_ descriptor: Int32) -> String {
    var all: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(descriptor, &piece, piece.count)
      guard count > 0 else { return String(decoding: all, as: UTF8.self) }
      all += piece[..<count]
    }
  }
}
