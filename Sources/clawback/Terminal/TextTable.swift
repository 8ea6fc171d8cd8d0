/// Columns of text, each as wide as its widest cell.
struct TextTable {
  let lines: [String]
  /// Whether there is no row under the header, or none at all.
  let isEmpty: Bool

  /// Rows under the names of their columns.
  init(header: [String], rows: [[String]]) {
    self.init(lines: [header] + rows, isEmpty: rows.isEmpty)
  }

  /// Shape: rows of the same number of cells; the last column is not padded.
  init(rows: [[String]]) {
    self.init(lines: rows, isEmpty: rows.isEmpty)
  }

  private init(lines rows: [[String]], isEmpty: Bool) {
    self.isEmpty = isEmpty
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in
      rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
    }
    lines = rows.map { row in
      row.enumerated().map { column, cell in
        column == row.count - 1 ? cell : cell.padded(to: widths[column])
      }.joined(separator: "  ")
    }
  }
}

extension Console {
  /// Prints a table; nothing for one that has only a header.
  func print(_ table: TextTable) {
    guard !table.isEmpty else { return }
    for line in table.lines { print(line) }
  }
}

extension String {
  /// With spaces at its end, as wide as asked for.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }

  /// With spaces before it, as wide as asked for.
  func aligned(to width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }
}
