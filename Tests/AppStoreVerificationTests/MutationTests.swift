import AppStoreSimulator
import AppStoreVerification
import Foundation
import Testing

/// Texts with random damage: never accepted as something else, and never a crash.
struct MutationTests {
  /// How many damaged texts; `CLAWBACK_MUTATIONS` asks for more.
  private static let count =
    ProcessInfo.processInfo.environment["CLAWBACK_MUTATIONS"].flatMap { Int($0) } ?? 2_000

  @Test func `a damaged notification is refused`() throws {
    let seed: UInt64 = 20_261_130
    var random = SeededGenerator(seed: seed)
    let verifier = try SampleStore.good.verifier(.sample)
    let good = Array(SampleStore.good.wholeNotification().utf8)
    _ = try verifier.verifyNotification(good, now: SampleStore.now)
    for number in 0..<Self.count {
      let damaged = Self.damage(good, &random)
      guard damaged != good else { continue }
      let isAccepted = (try? verifier.verifyNotification(damaged, now: SampleStore.now)) != nil
      #expect(!isAccepted, "seed \(seed), text \(number)")
    }
  }

  private static func damage(_ text: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    var text = text
    // Half of the damage goes beyond the header, where no chain has to be checked.
    let start = Bool.random(using: &random) ? (text.firstIndex(of: UInt8(ascii: ".")) ?? 0) : 0
    let place = Int.random(in: start..<text.count, using: &random)
    switch Int.random(in: 0..<6, using: &random) {
    case 0: text[place] = UInt8.random(in: 0...255, using: &random)
    case 1: text[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 2: text.remove(at: place)
    case 3: text.insert(UInt8(ascii: "A"), at: place)
    case 4: text.removeLast(text.count - place)
    default: text.swapAt(place, Int.random(in: start..<text.count, using: &random))
    }
    return text
  }
}
