import AppStoreModel
import AppStoreSimulator
import Testing

struct TokenFaultTests {
  @Test(arguments: [
    (Token(), nil), (Token(age: nil), nil), (Token(age: 3_000, life: 600), nil),
    (Token(age: nil, life: 3_600), nil),
    (Token(algorithm: "HS256"), TokenFault.algorithm), (Token(keyId: "OTHER"), .unknownKey),
    (Token(issuer: "x"), .issuer), (Token(audience: "x"), .audience),
    (Token(bundle: "x"), .bundle), (Token(age: -34), .notYet), (Token(life: 0), .expired),
    (Token(life: nil), .expired), (Token(age: 0, life: 3_601), .lifetime),
    (Token(age: nil, life: 3_601), .lifetime), (Token(form: .der), .signature),
    (Token(form: .flipped), .signature), (Token(form: .empty), .signature),
  ])
  func `a token is refused for the first thing that is wrong`(token: Token, fault: TokenFault?) {
    let (status, refused) = answer("Bearer " + token.text(APIKey(seed: 5), at: Caller.now))
    #expect(status == (fault == nil ? 404 : 401))
    #expect(refused == (fault.map { [$0] } ?? []))
  }

  @Test(arguments: [nil, "", "Basic abc", "Bearer a.b", "Bearer a.b.c", "Bearer .."])
  func `what is no token is answered in plain text`(field: String?) throws {
    let (status, refused) = answer(field)
    #expect(status == 401)
    #expect([[.missing], [.malformed]].contains(refused))
  }

  private func answer(_ field: String?) -> (Int, [TokenFault]) {
    var server = Caller().server
    let request = APIRequest(
      "GET", ["inApps", "v1", "transactions", "1"], authorization: field)
    let answer = server.answer(request, at: Caller.now)
    if answer.status == 401 {
      #expect(answer.body == Array("Unauthenticated\n".utf8))
      #expect(answer.headers.contains { $0.name == "Content-Type" && $0.value.hasPrefix("text/") })
    }
    return (answer.status, server.refusedTokens)
  }

  @Test func `a token of the host's time is refused by a server whose clock is behind`() {
    var caller = Caller()
    caller.server.switches.clockSkew = .seconds(-34)
    #expect(caller.verdict("GET", "/inApps/v1/transactions/1") == "401")
    caller.server.switches.clockSkew = .seconds(34)
    let answer = caller.call("GET", "/inApps/v1/transactions/1")
    #expect(answer.status == 404)
    // The host says 14:13:20.
    #expect(
      answer.headers.contains { $0.name == "Date" && $0.value == "Mon, 21 Sep 2026 14:13:54 GMT" })
  }

  @Test func `production refuses an app that was not released, the sandbox does not`() {
    var caller = Caller()
    caller.server.switches.isReleased = false
    #expect(caller.verdict("GET", "/inApps/v1/transactions/1") == "401")
    #expect(caller.verdict("GET", "/sandbox/inApps/v1/transactions/1") == "404 4040010")
    #expect(caller.server.refusedTokens == [.notReleased])
  }

  @Test func `a seed always gives the same key, as App Store Connect writes it`() {
    let key = APIKey(seed: 5)
    #expect(key.key.pem == APIKey(seed: 5).key.pem)
    #expect(key.keyId != APIKey(seed: 6).keyId)
    #expect(key.key.pem.hasPrefix("-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMGByqGSM49AgEG"))
    #expect(key.keyId.utf8.count == 10)
  }
}
