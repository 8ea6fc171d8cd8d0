import AppStoreModel
import JSON5

/// One thing that happens in a scenario, and when.
struct Step: Sendable {
  /// What is done; it may move the clock further.
  typealias Deed = @Sendable (inout Stage) throws(StoreRefusal) -> Void

  /// When it happens.
  enum Moment: Hashable, Sendable {
    /// With the step before, or when the deed's own rule says.
    case next
    case after(TimeSpan)
    /// Counted from the first step; and where the file says so.
    case at(TimeSpan, Place)
  }

  let place: Place
  let moment: Moment
  let deed: Deed
  /// What is written otherwise in what this step says.
  let alterations: Alterations
  let forgery: Forgery?
  /// How much later the App Store sends what this step says.
  let delay: TimeSpan

  func perform(on stage: inout Stage) throws(StoreRefusal) {
    switch moment {
    case .next: break
    case .after(let span): stage.wait(span)
    case .at(let span, _): stage.wait(until: span)
    }
    let said = stage.store.notifications.count
    try deed(&stage)
    for index in said..<stage.store.notifications.count {
      stage.store.notifications[index].alterations.append(alterations)
      stage.store.notifications[index].delay = delay
      if let forgery { stage.store.notifications[index].forgery = forgery }
    }
  }
}
