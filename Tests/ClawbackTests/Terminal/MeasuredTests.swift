import Testing

@testable import clawback

struct MeasuredTests {
  @Test(
    arguments: [
      (-1, "0 ms"), (0, "0 ms"), (1, "1 ms"), (999, "999 ms"), (1_000, "1.0 s"),
      (59_999, "59.9 s"), (60_000, "1 min"), (121_073, "2 min 1 s"), (3_600_000, "1 h"),
      (12_000_000, "3 h 20 min"), (86_400_000, "1 day"), (187_200_000, "2 days 4 h"),
      (Int64.max, "106751991167 days 7 h"),
    ] as [(Int64, String)])
  func `a time that was measured is never said longer than it was`(
    milliseconds: Int64, text: String
  ) {
    #expect(Measured.text(milliseconds: milliseconds) == text)
  }
}
