extension Console {
  /// Prints a table of comma-separated values as it is.
  ///
  /// - Parameters:
  ///   - text: Records that end in a line break, the first of them the names of the columns.
  ///   - withHeader: Whether that is printed: every page of a long table has it.
  func print(csv text: String, withHeader: Bool = true) {
    var table = Array(text.utf8)[...]
    if !withHeader { table = table.drop { $0 != 0x0A }.dropFirst() }
    // The line feed at the end is printed for every line of a result.
    if !table.isEmpty { print(String(decoding: table.dropLast(), as: UTF8.self)) }
  }
}
