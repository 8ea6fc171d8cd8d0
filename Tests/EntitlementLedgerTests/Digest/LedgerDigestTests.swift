import AppStoreModel
import EntitlementLedger
import Testing

struct LedgerDigestTests {
  private func facts() throws -> [LedgerFact] {
    let month = Sample.month()
    return [
      try notified(.subscribed, .day(0), month, Sample.renewal(), status: .active),
      try notified(.refund, .day(5), month.revoked(.day(5)), status: .revoked),
      try notified(.refundReversed, .day(6), month, status: .active),
      try notified(.revoke, .day(7), month),
      try seen(Sample.once(.nonConsumable, "2"), by: .poll),
    ]
  }

  private func digest(_ facts: [LedgerFact], at moment: Timestamp = .day(7)) -> String {
    var chains: [ChainKey: Chain] = [:]
    for fact in facts {
      for key in fact.chains { _ = chains[key, default: Chain(key: key)].join(fact) }
    }
    var digest = LedgerDigest(at: moment)
    for chain in chains.values { digest.add(chain) }
    return digest.hexadecimal
  }

  @Test func `the digest is the same in any order and with repeats`() throws {
    let facts = try facts()
    let wanted = digest(facts)
    #expect(wanted.utf8.count == 64)
    for order in Orders.permutations(Array(facts.dropLast())) {
      #expect(digest(order + order + [facts[4]]) == wanted)
    }
  }

  @Test func `every fact and the moment leave their mark`() throws {
    let facts = try facts()
    let all = digest(facts)
    for index in facts.indices {
      var fewer = facts
      fewer.remove(at: index)
      #expect(digest(fewer) != all)
    }
    #expect(digest([facts[0]], at: .day(40)) != digest([facts[0]]))
    let continued = try seen(
      Sample.month("9", from: .day(1)) {
        $0.originalTransactionId = "9"
        $0.previousOriginalTransactionId = "1"
      })
    #expect(digest(facts + [continued]) != all)
  }

  @Test func `an empty ledger has the hash of one line feed`() {
    #expect(
      LedgerDigest(at: .day(0)).hexadecimal
        == "01ba4719c80b6fe911b091a7c05124b64eeece964e09c058ef8f9805daca546b")
  }

  @Test func `a line escapes what separates lines and fields`() {
    var line = CanonicalLine("word")
    line.add("text", "a\tb\nc\\d")
    line.add("none", nil as String?)
    line.add("number", -5 as Int64)
    line.add("flag", true)
    line.add("no", false)
    #expect(
      String(decoding: line.bytes, as: UTF8.self) == "word\ttext=a\\tb\\nc\\\\d\tnumber=-5\tflag=1")
  }

  @Test func `a fingerprint is the SHA-256 in lower-case digits`() {
    #expect(
      Fingerprint(of: Array("abc".utf8)).hexadecimal
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(Fingerprint(of: [1]) != Fingerprint(of: [2]))
  }
}
