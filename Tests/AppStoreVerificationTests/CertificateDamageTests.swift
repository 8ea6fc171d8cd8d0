import AppStoreSimulator
import AppStoreVerification
import Foundation
import Testing

/// Certificates with random damage, properly encoded and signed over: the parser of certificates
/// sees them all.
struct CertificateDamageTests {
  /// How many; `CLAWBACK_MUTATIONS` asks for more.
  private static let count =
    ProcessInfo.processInfo.environment["CLAWBACK_MUTATIONS"].flatMap { Int($0) } ?? 1_000

  @Test(arguments: [0, 1])
  func `a damaged certificate is refused by a rule of the chain`(place: Int) throws {
    let seed = UInt64(20_261_201 + place)
    var random = SeededGenerator(seed: seed)
    let store = SampleStore.good
    let verifier = try store.verifier()
    for number in 0..<Self.count {
      var chain = store.authority.chain
      chain[place] = Self.damage(chain[place], &random)
      guard chain != store.authority.chain else { continue }
      let refusal = verifier.refusal(
        ofTransaction: store.transaction(by: store.signer(chain: chain)))
      let rule = refusal?.rule ?? "accepted"
      #expect(
        rule.hasPrefix("chain.") || rule.hasPrefix("markers."),
        "seed \(seed), certificate \(number): \(rule)")
    }
  }

  private static func damage(_ der: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    var der = der
    for _ in 0..<Int.random(in: 1...4, using: &random) where !der.isEmpty {
      let place = Int.random(in: 0..<der.count, using: &random)
      switch Int.random(in: 0..<6, using: &random) {
      case 0: der[place] = UInt8.random(in: 0...255, using: &random)
      case 1: der[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 2: der.remove(at: place)
      case 3: der.insert(UInt8.random(in: 0...255, using: &random), at: place)
      case 4: der.removeLast(der.count - place)
      default: der[place] = [0x00, 0x30, 0x7F, 0x80, 0x84, 0xFF][place % 6]
      }
    }
    return der
  }
}
