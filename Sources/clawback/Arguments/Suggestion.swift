/// Finds the known word that a mistyped one was probably meant to be.
enum Suggestion {
  /// Absent when no known word is within a third of its letters.
  static func closest(to word: String, in known: [String]) -> String? {
    let ranked = known.map { (word: $0, edits: edits(from: word, to: $0)) }
    guard let best = ranked.min(by: { $0.edits < $1.edits }) else { return nil }
    return best.edits <= max(1, best.word.count / 3) ? best.word : nil
  }

  /// The least number of letters to insert, delete, replace or swap with a neighbour.
  static func edits(from first: String, to second: String) -> Int {
    let source = Array(first)
    let target = Array(second)
    var rows = [Array(0...target.count)]
    for (i, letter) in source.enumerated() {
      var row = [i + 1]
      for (j, other) in target.enumerated() {
        var cost = min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (letter == other ? 0 : 1))
        if i > 0, j > 0, letter == target[j - 1], source[i - 1] == other {
          cost = min(cost, rows[i - 1][j - 1] + 1)
        }
        row.append(cost)
      }
      rows.append(row)
    }
    return rows[source.count][target.count]
  }
}
