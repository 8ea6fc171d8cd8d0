import Testing

@testable import clawback

struct TextTableTests {
  @Test func `columns are as wide as their widest cell`() {
    let table = TextTable(rows: [["a", "bb", "c"], ["aaa", "b", "ccc"]])
    #expect(table.lines == ["a    bb  c", "aaa  b   ccc"])
    #expect(TextTable(rows: []).lines == [])
  }

  @Test(arguments: [(0.04, "0.0"), (0.05, "0.1"), (12.34, "12.3"), (9.96, "10.0")])
  func `a measured number has one digit after the point`(number: Double, text: String) {
    #expect(Decimals.one(number) == text)
  }
}
