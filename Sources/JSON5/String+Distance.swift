extension String {
  /// How many letters must change, come or go to make the other word.
  ///
  /// Source: V. I. Levenshtein, 1966.
  package func distance(to other: String) -> Int {
    var previous = Array(0...other.count)
    for (row, letter) in enumerated() {
      var current = [row + 1]
      for (column, otherLetter) in other.enumerated() {
        let swapped = previous[column] + (letter == otherLetter ? 0 : 1)
        current.append(Swift.min(swapped, previous[column + 1] + 1, current[column] + 1))
      }
      previous = current
    }
    return previous[other.count]
  }
}

extension String {
  /// The known word that this one was probably meant to be; `nil` where none is near.
  package func nearest(in known: [String]) -> String? {
    let nearest = known.min { distance(to: $0) < distance(to: $1) }
    return nearest.flatMap { distance(to: $0) <= 3 ? $0 : nil }
  }
}
