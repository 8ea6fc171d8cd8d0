import Testing

@testable import AppStoreServerAPI

struct AppleErrorCodeTests {
  private static let numbers: [Int64] = [
    4_000_000, 4_000_002, 4_000_004, 4_000_005, 4_000_006, 4_000_008, 4_000_009, 4_000_010,
    4_000_011, 4_000_012, 4_000_013, 4_000_014, 4_000_015, 4_000_016, 4_000_017, 4_000_018,
    4_000_019, 4_000_020, 4_000_021, 4_000_022, 4_000_023, 4_000_024, 4_000_025, 4_000_026,
    4_000_027, 4_000_028, 4_000_030, 4_000_031, 4_000_032, 4_000_033, 4_000_034, 4_000_035,
    4_000_036, 4_000_037, 4_000_038, 4_000_039, 4_000_040, 4_000_041, 4_000_042, 4_000_043,
    4_000_047, 4_000_048, 4_000_183, 4_000_185, 4_000_187, 4_000_209, 4_000_225, 4_000_227,
    4_030_004, 4_030_005, 4_030_007, 4_030_028, 4_040_001, 4_040_002, 4_040_003, 4_040_004,
    4_040_005, 4_040_006, 4_040_007, 4_040_008, 4_040_009, 4_040_010, 4_040_019, 4_040_022,
    4_290_000, 5_000_000, 5_000_001,
  ]

  @Test func `every documented number has a name of its own and keeps its value`() {
    let codes = Self.numbers.map { AppleErrorCode(rawValue: $0) }
    #expect(codes.map(\.rawValue) == Self.numbers)
    #expect(Set(codes.map { "\($0)" }).count == codes.count)
    #expect(!codes.contains { if case .unknown = $0 { true } else { false } })
  }

  @Test(arguments: [4_000_999, 5_000_777, 1, -4])
  func `an unknown number is kept`(number: Int64) {
    #expect(AppleErrorCode(rawValue: number) == .unknown(number))
    #expect(AppleErrorCode(rawValue: number).rawValue == number)
  }

  @Test func `only the documented numbers may be repeated, and unknown ones by their status`() {
    let transient: Set<Int64> = [
      4_040_002, 4_040_004, 4_040_006, 4_040_008, 4_290_000, 5_000_000, 5_000_001,
    ]
    for number in Self.numbers {
      #expect(AppleErrorCode(rawValue: number).isTransient == transient.contains(number))
    }
    #expect(AppleErrorCode.unknown(5_000_099).isTransient)
    #expect(!AppleErrorCode.unknown(4_000_999).isTransient)
  }

  @Test func `every code advises`() {
    for number in Self.numbers { #expect(!AppleErrorCode(rawValue: number).advice.isEmpty) }
  }
}
