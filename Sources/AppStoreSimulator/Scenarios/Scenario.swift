package import AppStoreModel
import JSON5

/// A story that the simulated App Store can tell: steps with their distances in time.
package struct Scenario: Sendable {
  /// Shape: a few words, joined by hyphens; after a number for those that come with this program.
  package let name: String
  /// Shape: one sentence.
  package let title: String
  /// What is for sale.
  package let catalog: [SimulatedProduct]
  package let policy: StorePolicy
  /// The only environment in which such a thing happens; absent for either.
  package let environment: AppStoreEnvironment?
  /// What goes wrong on the way to the receiver.
  package let faults: PlannedFaults
  let customers: [PlannedCustomer]
  let steps: [Step]

  /// Plays the story in a fresh store, so that its last step falls on `end`.
  ///
  /// The ids depend on the seed, the story and the end: two stories, and one story played twice, may
  /// be sent to one server.
  package func played(
    app: SimulatedApp = SimulatedApp(), seed: UInt64, endingAt end: Timestamp
  ) throws(ScenarioFailure) -> SimulatedAppStore {
    try staged(app: app, seed: seed, endingAt: end).store
  }

  /// Plays the story, and gives the stage as it is after the last step.
  package func staged(
    app: SimulatedApp = SimulatedApp(), seed: UInt64, endingAt end: Timestamp
  ) throws(ScenarioFailure) -> Stage {
    try perform(on: opened(app, seed, endingAt: end))
  }

  /// Plays the story, and gives the stage as it is before the first step and after each.
  package func stages(
    app: SimulatedApp = SimulatedApp(), seed: UInt64, endingAt end: Timestamp
  ) throws(ScenarioFailure) -> (first: Stage, later: [Stage]) {
    let first = try opened(app, seed, endingAt: end)
    var later: [Stage] = []
    _ = try perform(on: first) { later.append($0) }
    return (first, later)
  }

  /// The stage before anything happened, at a time that lets the last step fall on `end`.
  private func opened(
    _ app: SimulatedApp, _ seed: UInt64, endingAt end: Timestamp
  ) throws(ScenarioFailure) -> Stage {
    let seed = Digest.sha256.hash(Array("\(seed) \(name) \(end.millisecondsSince1970)".utf8))
      .prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    var app = app
    app.environment = environment ?? app.environment
    let epoch = Timestamp(millisecondsSince1970: 0)
    let rehearsal = try perform(on: stage(app, seed, at: epoch))
    let length = TimeSpan(milliseconds: rehearsal.now.millisecondsSince1970)
    return stage(app, seed, at: end.subtracting(length))
  }

  private func stage(_ app: SimulatedApp, _ seed: UInt64, at start: Timestamp) -> Stage {
    let store = SimulatedAppStore(app: app, catalog: catalog, policy: policy, seed: seed)
    var stage = Stage(store, at: start)
    for customer in customers { stage.enroll(customer) }
    return stage
  }

  private func perform(
    on stage: Stage, seen: (Stage) -> Void = { _ in }
  ) throws(ScenarioFailure) -> Stage {
    var stage = stage
    for step in steps {
      if case .at(let moment, let place) = step.moment, moment < stage.elapsed {
        throw ScenarioFailure.timeIsOver(place, at: moment, now: stage.elapsed)
      }
      do throws(StoreRefusal) {
        try step.perform(on: &stage)
      } catch {
        throw ScenarioFailure.impossible(step.place, error)
      }
      seen(stage)
    }
    return stage
  }
}

/// What a scenario says of a customer before anything happens.
struct PlannedCustomer: Hashable, Sendable {
  let name: String
  var hasToken = true
  var family: String?
  var storefront = Storefront.usa
}
