import AppStoreSimulator
import CCrypto
import Foundation
import Testing

@testable import AppStoreVerification

/// The table of a key's multiples answers as libcrypto's own check does.
struct LeafKeyTableTests {
  /// How many random signatures; `CLAWBACK_SIGNATURES` asks for more.
  private static let count =
    ProcessInfo.processInfo.environment["CLAWBACK_SIGNATURES"].flatMap { Int($0) } ?? 1_000

  private static let secret = CurveNumber(bytes: Array("the secret of a leaf in the tests".utf8))
  private static let nonce = CurveNumber(bytes: Array("a number that is used only once".utf8))

  @Test func `random signatures, whole and spoiled, are judged alike`() throws {
    let seed: UInt64 = 20_261_130
    var random = SeededGenerator(seed: seed)
    let key = try #require(SignatureVector.key(Self.secret))
    let table = try #require(LeafKeyTable(of: key.handle))
    for number in 0..<Self.count {
      let nonce = CurveNumber(bytes: Self.bytes(&random))
      var vector = try #require(
        SignatureVector(secret: Self.secret, nonce: nonce, digest: Self.bytes(&random)))
      #expect(table.verifies(vector.signature, over: vector.digest), "seed \(seed), \(number)")
      vector.signature[Int.random(in: 0..<64, using: &random)] ^=
        1 << UInt8.random(in: 0..<8, using: &random)
      #expect(
        table.verifies(vector.signature, over: vector.digest)
          == key.verifiesWithoutTable(vector.signature, over: vector.digest),
        "seed \(seed), \(number) spoiled")
    }
  }

  @Test func `a signature at an edge of the arithmetic is judged as the standard says`() throws {
    for (name, vector, isGood) in try Self.edges() {
      let table = try #require(LeafKeyTable(of: vector.key.handle))
      #expect(table.verifies(vector.signature, over: vector.digest) == isGood, "\(name)")
      #expect(
        vector.key.verifiesWithoutTable(vector.signature, over: vector.digest) == isGood, "\(name)")
      vector.key.prepareTable()
      #expect(vector.key.verifies(vector.signature, over: vector.digest) == isGood, "\(name)")
    }
  }

  @Test func `many threads use one table`() throws {
    let key = try #require(SignatureVector.key(Self.secret))
    let table = try #require(LeafKeyTable(of: key.handle))
    let good = try #require(
      SignatureVector(secret: Self.secret, nonce: Self.nonce, digest: Self.digest))
    let other = [UInt8](repeating: 3, count: 32)
    let (signature, digest) = (good.signature, good.digest)
    DispatchQueue.concurrentPerform(iterations: 400) { _ in
      #expect(table.verifies(signature, over: digest))
      #expect(!table.verifies(signature, over: other))
    }
  }

  @Test func `a table is made once a key has won its cost back, and by good signatures only`()
    async throws
  {
    let good = try #require(
      SignatureVector(secret: Self.secret, nonce: Self.nonce, digest: Self.digest))
    let other = [UInt8](repeating: 3, count: 32)
    for _ in 1..<LeafKey.usesBeforeTable {
      #expect(good.key.verifies(good.signature, over: good.digest))
    }
    #expect(!good.key.verifies(good.signature, over: other))
    #expect(!good.key.hasTable)
    #expect(good.key.verifies(good.signature, over: good.digest))
    while !good.key.hasTable { await Task.yield() }
    #expect(good.key.verifies(good.signature, over: good.digest))
    #expect(!good.key.verifies(good.signature, over: other))
  }

  private static let digest = [UInt8](repeating: 7, count: 32)

  private static func bytes(_ random: inout SeededGenerator) -> [UInt8] {
    (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) }
  }

  private static func edges() throws -> [(String, SignatureVector, isGood: Bool)] {
    let plain = try #require(SignatureVector(secret: secret, nonce: nonce, digest: digest))
    let (r, s) = (Array(plain.signature.prefix(32)), Array(plain.signature.suffix(32)))
    func plainly(_ r: [UInt8], _ s: [UInt8]) -> SignatureVector {
      SignatureVector(plain.key, digest: digest, r: r, s: s)
    }
    let (zero, order) = ([UInt8](repeating: 0, count: 32), CurveNumber.orderBytes())
    let above = try #require(SignatureVector.coordinateAboveOrder())
    let aboveS = Array(above.signature.suffix(32))
    let doubled = (nonce.firstCoordinate * secret).bytes
    let cancelled = (CurveNumber(bytes: r) * secret).negative.bytes
    return [
      ("plain", plain, true),
      ("the other s of the pair", plainly(r, CurveNumber(bytes: s).negative.bytes), true),
      ("r is 0", plainly(zero, s), false),
      ("s is 0", plainly(r, zero), false),
      ("r is the order", plainly(order, s), false),
      ("s is the order", plainly(r, order), false),
      ("r has every bit", plainly([UInt8](repeating: 255, count: 32), s), false),
      (
        "the digest is 0",
        try #require(SignatureVector(secret: secret, nonce: nonce, digest: zero)),
        true
      ),
      (
        "the digest is above the order",
        try #require(
          SignatureVector(
            secret: secret, nonce: nonce, digest: [UInt8](repeating: 255, count: 32))), true
      ),
      (
        "both parts are one point",
        try #require(SignatureVector(secret: secret, nonce: nonce, digest: doubled)), true
      ),
      (
        "the parts cancel each other out",
        SignatureVector(plain.key, digest: cancelled, r: r, s: CurveNumber(9).bytes), false
      ),
      ("the coordinate is above the order", above, true),
      (
        "r is that coordinate, not reduced",
        SignatureVector(
          above.key, digest: above.digest, r: CurveNumber.orderBytes(plus: above.signature),
          s: aboveS), false
      ),
    ]
  }
}
