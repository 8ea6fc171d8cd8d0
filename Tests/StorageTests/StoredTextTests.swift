import AppStoreModel
import AppStoreSimulator
import EntitlementLedger
import LedgerStorage
import Testing

/// What was signed can be put together again, byte for byte, on every store.
struct StoredTextTests {
  @Test(arguments: StoreKind.allCases)
  func `random signed texts come back as they were`(kind: StoreKind) throws {
    let store = try kind.open()
    var dice = SeededGenerator(seed: 7)
    for round in 0..<60 {
      let record = Self.notification(&dice, round)
      let delivery = Delivery(
        effect: .opaque(nil, reason: "random"), body: .signed(record), channel: .notification,
        receivedAt: Signed.at(0))
      let id = try store.record(delivery)[0].factID
      let restored = try #require(try store.reader.signedRecord(id))
      #expect(restored.compactForm() == record.compactForm(), "round \(round)")
      #expect(restored == record)
    }
  }

  /// A text with up to two texts inside it, sometimes written so that they cannot be cut out.
  private static func notification(_ dice: inout SeededGenerator, _ round: Int) -> SignedRecord {
    let parts = (0..<Int.random(in: 0...2, using: &dice)).map { place in
      random(place == 0 ? .transaction : .renewalInfo, Self.noise(&dice), [], &dice)
    }
    var json = Array("{\"round\":\(round)".utf8)
    for (place, part) in parts.enumerated() {
      json += Array(",\"p\(place)\":\"".utf8)
      let text = part.compactForm()
      let isEscaped = Int.random(in: 0..<4, using: &dice) == 0
      json += isEscaped ? Array("\\u0065".utf8) + text.dropFirst() : text
      json += Array("\"".utf8)
    }
    return random(.notification, json + noise(&dice), parts, &dice)
  }

  private static func random(
    _ kind: SignedRecord.Kind, _ payload: [UInt8], _ parts: [SignedRecord],
    _ dice: inout SeededGenerator
  ) -> SignedRecord {
    let header = Array("eyJhbGciOiJFUzI1NiJ9\(Int.random(in: 0..<3, using: &dice))".utf8)
    return SignedRecord(
      kind: kind, headerSegment: header, headerSHA256: Fingerprint(of: header).bytes,
      payload: payload,
      signature: (0..<64).map { _ in UInt8.random(in: 0...255, using: &dice) },
      judgedAt: Signed.at(0), parts: parts)
  }

  private static func noise(_ dice: inout SeededGenerator) -> [UInt8] {
    (0..<Int.random(in: 0..<200, using: &dice)).map { _ in
      UInt8.random(in: 0...255, using: &dice)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `a header and an inner text are kept once`(kind: StoreKind) throws {
    let store = try kind.open()
    let bought = Signed.transaction("1", token: "anna")
    try store.record(
      Signed.notification(.subscribed, "u1", bought, signed: 1),
      Signed.notification(.offerRedeemed, "u2", bought, signed: 2), Signed.delivery(bought))
    #expect(try store.count("facts") == 3)
    #expect(try store.count("header_segments") == 1)
    #expect(try store.count("sightings") == 3)
  }
}
