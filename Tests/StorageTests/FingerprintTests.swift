import EntitlementLedger
import LedgerStorage
import Testing

struct FingerprintTests {
  @Test func `both ways to hash agree for every length around the block's`() {
    for count in 0...260 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ count) }
      #expect(Fingerprint(of: bytes) == Fingerprint(hashing: bytes), "\(count) bytes")
    }
  }
}
