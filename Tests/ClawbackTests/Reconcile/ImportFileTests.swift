import Testing

@testable import clawback

struct ImportFileTests {
  private func rows(_ text: String) throws -> [ImportFile.Row] {
    try ImportFile(Array(text.utf8)).rows
  }

  @Test func `every line is read, whatever ends it`() throws {
    let text =
      "\u{FEFF}transactionId,customer,bundleId\r\n"
      + "1,ada,com.a\n2,\"smith, \"\"jo\"\"\",com.a\r\n\n3,\"two\nlines\",com.b"
    let rows = try rows(text)
    #expect(rows.map(\.line) == [2, 3, 5])
    #expect(rows.map { $0.cells[1] } == ["ada", "smith, \"jo\"", "two\nlines"])
    #expect(rows.allSatisfy { $0.problem == nil })
  }

  @Test(arguments: [
    ("1,ada", "has 2 cells in place of 3"), ("1,ada,com.a,x", "has 4 cells in place of 3"),
    (",ada,com.a", "transactionId is empty"), ("1,,com.a", "customer is empty"),
    ("1,ada,", "bundleId is empty"), ("1 2,ada,com.a", "transactionId is no id of Apple's"),
    ("1/../2,ada,com.a", "transactionId is no id of Apple's"),
    ("1,\"ada,com.a", "a quoted cell does not end"),
  ])
  func `a line that cannot be used is kept with its number and reason`(
    line: String, problem: String
  ) throws {
    let rows = try rows("transactionId,customer,bundleId\n\(line)\n9,eve,com.a\n")
    #expect(rows.map(\.problem) == [problem, nil])
    #expect(rows.map(\.line) == [2, 3])
  }

  @Test(arguments: ["", "customer,transactionId,bundleId\n", "1,ada,com.a\n"])
  func `another header is refused`(text: String) {
    let failure = #expect(throws: CommandFailure.self) { try rows(text) }
    #expect(failure?.code == .unusable)
  }

  @Test(
    arguments: [
      (0, "0 s"), (1, "1 s"), (89_000, "89 s"), (90_000, "2 min"), (5_399_000, "90 min"),
      (5_400_000, "1.5 h"), (172_800_000, "2.0 days"),
    ] as [(Int64, String)])
  func `a time is said roughly`(milliseconds: Int64, text: String) {
    #expect(Remaining.text(milliseconds: milliseconds) == text)
  }
}
