import Testing

@testable import LedgerServer

struct CSVTextTests {
  @Test(arguments: [
    ("plain", "plain"), ("", ""), ("a,b", "\"a,b\""), ("say \"no\"", "\"say \"\"no\"\"\""),
    ("two\nlines", "\"two\nlines\""), ("return\r", "\"return\r\""), ("a\r\nb", "\"a\r\nb\""),
  ])
  func `a field with a comma, a quote or an end of line is quoted`(field: String, text: String) {
    var table = CSVText(columns: ["a", "b"])
    table.append([field, ""])
    #expect(table.bytes == Array(("a,b\r\n" + text + ",\r\n").utf8))
  }
}
