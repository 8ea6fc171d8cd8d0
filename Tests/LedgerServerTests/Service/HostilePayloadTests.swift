import AppStoreModel
import AppStoreSimulator
import Foundation
import Testing

@testable import LedgerServer

/// Genuine signatures over payloads that make no sense.
struct HostilePayloadTests {
  @Test(arguments: ["-9223372036854775808", "9223372036854775807", "253402300800000"])
  func `a refund of an impossible date is kept and acknowledged, and changes nothing`(
    date: String
  ) throws {
    let served = try ServedLedger()
    defer { served.stop() }
    let customer = served.stage.store.enroll("u")
    let bought = try served.stage.buy(.themes, customer)
    #expect(try served.deliver() == [200])
    try served.stage.refund(bought)
    let refund = try #require(served.stage.store.notifications.last)
    let outer = try Self.payload(of: served.signer.sign(refund))
    let inner = try #require(
      try JSONValue(json: Array(outer.utf8))["data"]?["signedTransactionInfo"]?.string)
    let changed = try Self.replacing("revocationDate", with: date, in: Self.payload(of: inner))
    let jws = JWSSigner(CertificateAuthority(seed: 1))
    let hostile = outer.replacingOccurrences(of: inner, with: jws.sign(Array(changed.utf8)))
    served.moment.set(served.stage.now)
    #expect(try served.post(jws.sign(Array(hostile.utf8))) == 200)
    #expect(try served.verdict(customer, SimulatedProduct.themes.id) == "granted")
    let token = try #require(customer.appAccountToken)
    for question in [
      "customers/\(token)/timeline", "reports/refunds", "reports/late-spend", "reports/signals",
    ] {
      #expect(try served.call("GET /v1/\(question)", .read).status == 200, "\(question)")
    }
    _ = try served.deliver()
    #expect(try served.verdict(customer, SimulatedProduct.themes.id) == "denied")
  }

  private static func payload(of jws: String) throws -> String {
    let segment = try #require(jws.split(separator: ".").dropFirst().first)
    var text = segment.replacingOccurrences(of: "-", with: "+")
      .replacingOccurrences(of: "_", with: "/")
    while text.utf8.count % 4 != 0 { text += "=" }
    return String(decoding: try #require(Data(base64Encoded: text)), as: UTF8.self)
  }

  private static func replacing(
    _ name: String, with number: String, in json: String
  ) throws -> String {
    let member = try #require(json.range(of: "\"\(name)\":"))
    let rest = json[member.upperBound...].drop { $0.isNumber }
    return json[..<member.upperBound] + number + rest
  }
}
