/// One thing that happened in the demo, as it was measured.
struct DemoStep: Encodable {
  let name: String
  /// `allow` or `deny`; absent when the gate was not asked.
  let decision: String?
  /// Why, in the word that the server gave.
  let reason: String
  /// From the simulator's sending, or the question to the gate, to the answer that shows it.
  let milliseconds: Double

  /// What the narration says.
  let sentence: String

  enum CodingKeys: CodingKey {
    case name, decision, reason, milliseconds
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    try container.encode(decision, forKey: .decision)
    try container.encode(reason, forKey: .reason)
    try container.encode((milliseconds * 1_000).rounded() / 1_000, forKey: .milliseconds)
  }
}
