import AppStoreSimulator
import AppStoreVerification
import Testing

/// The shape of a JWS and of its header.
struct FormTests {
  @Test(
    arguments: [
      ("", .formSegments), ("a", .formSegments), ("a.b", .formSegments), (".b.c", .formSegments),
      ("a..c", .formSegments), ("a.b.c.d", .formSegments), ("..", .formSegments),
      ("a.b.c", .formBase64URL), ("e30.e30.!!", .formBase64URL), ("e30.e.AA", .formBase64URL),
      ("e.e30.AA", .formBase64URL), (" e30.e30.AA", .formBase64URL),
      ("e30.e30.AA\n", .formBase64URL),
      ("e30.e30.", .algorithm), ("e30.e30.AA", .algorithm),
      (String(repeating: "A", count: 1 << 20) + ".e30.AA", .formSize),
      (String(repeating: "A", count: 70_000) + ".e30.AA", .formSize),
    ] as [(String, VerificationRule)])
  func `a text of another shape is refused`(text: String, rule: VerificationRule) throws {
    let verifier = try SampleStore.good.verifier()
    #expect(verifier.refusal(ofTransaction: text) == VerificationError(rule, in: .transaction))
  }

  private static let certificates = JWSHeader(chain: SampleStore.good.authority.chain).json

  @Test(
    arguments: [
      ("", .formSegments), ("nonsense", .formHeader), ("[]", .formHeader), ("{", .formHeader),
      ("{} {}", .formHeader), ("{\"alg\":\"ES256\",\"alg\":\"ES256\"}", .formHeader),
      ("{\"x\":1,\"x\":2}", .formHeader), ("{\"alg\":\"ES256\",\"crit\":[\"b64\"]}", .formHeader),
      ("{\"alg\":tru}", .formHeader), ("{\"x5c\":[\"a\"", .formHeader),
      ("{\"x5c\":[1,}", .formHeader),
      ("{}", .algorithm), ("{\"alg\":null}", .algorithm), ("{\"alg\":256}", .algorithm),
      ("{\"alg\":\"es256\"}", .algorithm), ("{\"alg\":\"ES256 \"}", .algorithm),
      ("{\"alg\":\"ES384\"}", .algorithm), ("{\"alg\":\"\"}", .algorithm),
      ("{\"alg\":\"ES256\"}", .chainLength), ("{\"alg\":\"ES256\",\"x5c\":null}", .chainLength),
      ("{\"alg\":\"ES256\",\"x5c\":\"a\"}", .chainLength),
      ("{\"alg\":\"ES256\",\"x5c\":[1,2,3]}", .chainLength),
      ("{\"alg\":\"ES256\",\"x5cwrong\":[\"a\",\"b\",\"c\"]}", .chainLength),
      ("{\"alg\":\"ES256\",\"x5c\":[\"a\",\"b\",\"c\"]}", .chainCertificates),
      ("{\"alg\":\"ES256\",\"x5c\":[\"\",\"\",\"\"]}", .chainCertificates),
    ] as [(String, VerificationRule)])
  func `a header of another shape is refused`(header: String, rule: VerificationRule) throws {
    let text = Base64.url(Array(header.utf8)) + ".e30.AA"
    #expect(try SampleStore.good.verifier().refusal(ofTransaction: text)?.cause == rule)
  }

  @Test func `other members and another order of the header do no harm`() throws {
    let store = SampleStore.good
    var header = JWSHeader(chain: nil)
    header.algorithm = nil
    let list = store.authority.chain.map { "\"\(Base64.standard($0))\"" }.joined(separator: ",")
    header.others = [
      ("typ", "\"JWT\""), ("x5c", " [ \(list.replacing("/", with: "\\/")) ] "),
      ("kid", "{\"a\":[1,null]}"), ("alg", "\"\\u0045S256\""),
    ]
    let signer = JWSSigner(key: store.authority.leaf.key, header: header)
    let text = store.transaction(by: signer)
    #expect(try store.verifier().refusal(ofTransaction: text) == nil)
  }
}
