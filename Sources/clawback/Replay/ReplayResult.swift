/// What a replay did, as `docs/contracts/commands.md` describes it.
struct ReplayResult: Encodable {
  let read: Int
  let stored: Int
  let repeated: Int
  let quarantined: Int
  let seconds: Double
  let perSecond: Double
  let digest: String
  /// Rules that refused lines, with how many each.
  private let reasons: [(rule: String, count: Int)]

  enum CodingKeys: CodingKey {
    case read, stored, repeated, quarantined, seconds, perSecond, digest
  }

  init(_ counts: ReplayTally.Counts, seconds: Double, digest: String) {
    read = counts.read
    stored = counts.stored
    repeated = counts.repeated
    quarantined = counts.quarantined.values.reduce(0, +)
    self.seconds = seconds
    perSecond = seconds > 0 ? Double(counts.read) / seconds : 0
    self.digest = digest
    reasons = counts.quarantined.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Lines for a person.
  var lines: [String] {
    let refusals = reasons.map { "\($0.rule) \($0.count)" }.joined(separator: ", ")
    return [
      "read         \(read)", "stored       \(stored)", "repeated     \(repeated)",
      "quarantined  \(quarantined)" + (refusals.isEmpty ? "" : " (\(refusals))"),
      "per second   \(Int(perSecond))", "digest       \(digest)",
    ]
  }
}
