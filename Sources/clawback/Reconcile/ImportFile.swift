/// A file that tells whose purchases are, line by line.
///
/// Shape: comma-separated values with the header `transactionId,customer,bundleId`.
///
/// Source: RFC 4180; a line feed alone ends a line too.
struct ImportFile {
  static let header = ["transactionId", "customer", "bundleId"]

  struct Row: Hashable {
    /// Counted from 1, the header included.
    let line: Int
    let cells: [String]
    /// Why it cannot be used; `nil` where it can.
    let problem: String?
  }

  /// In the order of the file; lines without anything are left out.
  let rows: [Row]

  /// Reads a whole file.
  ///
  /// - Throws: ``CommandFailure`` where the header is another; bad lines are rows with a problem.
  init(_ bytes: [UInt8]) throws(CommandFailure) {
    var text = bytes[...]
    if text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
    var lines = ImportFile.records(text)[...]
    guard let first = lines.popFirst(), first.cells == ImportFile.header else {
      throw CommandFailure(
        "The first line is not transactionId,customer,bundleId.",
        advice: "Write these three column names, in this order.", code: .unusable)
    }
    var claims = Claims()
    rows = lines.filter { $0.cells != [""] }.map { record in
      Row(
        line: record.line, cells: record.cells,
        problem: ImportFile.problem(record) ?? claims.conflict(of: record.cells, on: record.line))
    }
  }

  /// Who was named first for each transaction.
  private struct Claims {
    private var first: [[String]: (customer: String, line: Int)] = [:]

    /// Why a line is refused: an earlier one gives the same transaction to somebody else.
    mutating func conflict(of cells: [String], on line: Int) -> String? {
      let purchase = [cells[0], cells[2]]
      guard let known = first[purchase] else {
        first[purchase] = (cells[1], line)
        return nil
      }
      guard known.customer != cells[1] else { return nil }
      return "line \(known.line) gives this purchase to another customer: leave out one of the two"
    }
  }

  private struct Record {
    let line: Int
    var cells: [String]
    var isBroken = false
  }

  private static func problem(_ record: Record) -> String? {
    if record.isBroken { return "a quoted cell does not end" }
    guard record.cells.count == header.count else {
      return "has \(record.cells.count) cells in place of \(header.count)"
    }
    for (name, cell) in zip(header, record.cells) where cell.isEmpty { return "\(name) is empty" }
    let id = record.cells[0]
    guard id.utf8.count <= 64, id.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x2F }) else {
      return "transactionId is no id of Apple's"
    }
    return record.cells[1].utf8.count <= 255 ? nil : "customer is longer than 255 bytes"
  }

  private static func records(_ text: ArraySlice<UInt8>) -> [Record] {
    var reader = CSVReader(text)
    var records: [Record] = []
    while let record = reader.next() {
      records.append(Record(line: record.line, cells: record.cells, isBroken: record.isBroken))
    }
    return records
  }
}

/// Cuts comma-separated values into records.
private struct CSVReader {
  private let text: ArraySlice<UInt8>
  private var position: Int
  private var line = 1

  init(_ text: ArraySlice<UInt8>) {
    self.text = text
    position = text.startIndex
  }

  mutating func next() -> (line: Int, cells: [String], isBroken: Bool)? {
    guard position < text.endIndex else { return nil }
    let start = line
    var cells: [String] = []
    while true {
      guard let cell = cell() else { return (start, cells, true) }
      cells.append(cell)
      if position < text.endIndex, text[position] == UInt8(ascii: ",") {
        position += 1
        continue
      }
      endLine()
      return (start, cells, false)
    }
  }

  private mutating func endLine() {
    if position < text.endIndex, text[position] == 0x0D { position += 1 }
    if position < text.endIndex, text[position] == 0x0A { position += 1 }
    line += 1
  }

  /// - Returns: `nil` for a quoted cell without an end; the rest of the line is passed over.
  private mutating func cell() -> String? {
    guard position < text.endIndex, text[position] == UInt8(ascii: "\"") else { return plain() }
    let start = position
    position += 1
    var bytes: [UInt8] = []
    while position < text.endIndex {
      let byte = text[position]
      position += 1
      if byte == UInt8(ascii: "\"") {
        guard position < text.endIndex, text[position] == UInt8(ascii: "\"") else {
          line += bytes.count { $0 == 0x0A }
          return String(decoding: bytes, as: UTF8.self)
        }
        position += 1
      }
      bytes.append(byte)
    }
    position = text[start...].firstIndex(of: 0x0A).map { $0 + 1 } ?? text.endIndex
    line += 1
    return nil
  }

  private mutating func plain() -> String {
    let start = position
    while position < text.endIndex, ![0x0A, 0x0D, 0x2C].contains(text[position]) { position += 1 }
    return String(decoding: text[start..<position], as: UTF8.self)
  }
}
