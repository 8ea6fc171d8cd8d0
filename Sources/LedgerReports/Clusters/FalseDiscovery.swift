/// Keeps false alarms rare however many groups are looked at, and however they overlap.
///
/// Of the alarms of one look a share of at most `level` is false on average; where nothing is wrong,
/// the chance of any alarm is at most `level`.
///
/// Source: Y. Benjamini and D. Yekutieli, "The control of the false discovery rate in multiple testing
/// under dependency", The Annals of Statistics 29 (2001), theorem 1.3.
struct FalseDiscovery {
  let level: Double
  /// How many hypotheses there are, those included that nobody computed because they cannot matter.
  let hypotheses: Int

  /// The greatest chance that is still an alarm; `nil` where none is.
  func threshold(_ chances: [Double]) -> Double? {
    let sorted = chances.sorted()
    let harmonic = (1...max(1, hypotheses)).reduce(0.0) { $0 + 1 / Double($1) }
    let step = level / (Double(max(1, hypotheses)) * harmonic)
    let place = sorted.indices.last { sorted[$0] <= Double($0 + 1) * step }
    return place.map { Double($0 + 1) * step }
  }
}
