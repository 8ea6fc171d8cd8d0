/// Where something stands in a file.
///
/// Unit: lines and columns count from 1; a column is one Unicode scalar.
public struct Place: Hashable, Sendable {
  public let line: Int
  public let column: Int

  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}

extension Place: CustomStringConvertible {
  public var description: String { "line \(line), column \(column)" }
}
