package import AppStoreModel

/// A story that the simulated App Store can tell: steps with their distances in time.
package struct Scenario: Sendable {
  /// Shape: two digits and a few words, joined by hyphens.
  package let name: String
  /// Shape: one sentence.
  package let summary: String

  let play: @Sendable (inout Stage) throws(StoreRefusal) -> Void

  /// Plays the story in a fresh store, so that its last step falls on `end`.
  ///
  /// The ids depend on the seed, the story and the end: two stories, and one story played twice, may
  /// be sent to one server.
  package func played(
    app: SimulatedApp = SimulatedApp(), seed: UInt64, endingAt end: Timestamp
  ) throws(StoreRefusal) -> SimulatedAppStore {
    let seed = Digest.sha256.hash(Array("\(seed) \(name) \(end.millisecondsSince1970)".utf8))
      .prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    let epoch = Timestamp(millisecondsSince1970: 0)
    var rehearsal = Stage(SimulatedAppStore(app: app, seed: seed), at: epoch)
    try play(&rehearsal)
    let length = TimeSpan(milliseconds: rehearsal.now.millisecondsSince1970)
    var stage = Stage(SimulatedAppStore(app: app, seed: seed), at: end.subtracting(length))
    try play(&stage)
    return stage.store
  }
}

extension Scenario {
  /// The scenario of this name, or of this number alone.
  package static func named(_ word: String) -> Scenario? {
    let number = word.count == 1 ? "0" + word : word
    return all.first { $0.name == word || $0.name.prefix(2) == number }
  }

  /// All the stories, by number.
  package static let all: [Scenario] =
    oneTime + subscription + subscriptionRefund + family + delivery
}
