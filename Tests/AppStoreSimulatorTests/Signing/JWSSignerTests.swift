import AppStoreSimulator
import AppStoreVerification
import Foundation
import Testing

struct JWSSignerTests {
  let authority = CertificateAuthority(seed: 1)

  private func segments(_ jws: String) -> [[UInt8]] {
    jws.split(separator: ".", omittingEmptySubsequences: false).map { segment in
      let standard = segment.replacing("-", with: "+").replacing("_", with: "/")
      let padding = String(repeating: "=", count: (4 - standard.count % 4) % 4)
      return Data(base64Encoded: standard + padding).map(Array.init) ?? []
    }
  }

  @Test func `the header is exactly the algorithm and three certificates`() throws {
    let header = segments(JWSSigner(authority).sign(Array("{}".utf8)))[0]
    let object = try #require(
      JSONSerialization.jsonObject(with: Data(header)) as? [String: Any])
    #expect(Set(object.keys) == ["alg", "x5c"])
    #expect(object["alg"] as? String == "ES256")
    let listed = try #require(object["x5c"] as? [String]).map { Data(base64Encoded: $0) }
    #expect(listed == authority.chain.map { Data($0) })
  }

  @Test func `a spoiled header says what it was told to`() {
    var header = JWSHeader(chain: nil)
    header.algorithm = "none"
    header.others = [("typ", "\"JWT\""), ("kid", "1")]
    #expect(String(decoding: header.json, as: UTF8.self) == #"{"alg":"none","typ":"JWT","kid":1}"#)
    header.algorithm = nil
    header.chain = ["abc"]
    header.others = []
    #expect(String(decoding: header.json, as: UTF8.self) == #"{"x5c":["abc"]}"#)
  }

  @Test func `every wrong signature differs from the right one as it says`() {
    let signer = JWSSigner(authority)
    func signature(_ form: SignatureForm) -> [UInt8] { segments(signer.sign([1], form))[2] }
    let raw = signature(.raw)
    #expect(raw.count == 64)
    #expect(signature(.der).first == 0x30)
    #expect(signature(.empty) == [])
    #expect(signature(.zero) == [UInt8](repeating: 0, count: 64))
    #expect(signature(.cut) == raw.dropLast())
    #expect(signature(.longer) == raw + [0])
    #expect(zip(signature(.flipped), raw).filter { $0 != $1 }.count == 1)
    #expect(signature(.hmac(key: [1])).count == 32)
  }
}
