package import AppStoreModel
package import JSON5

/// Why a scenario cannot be played: where, and why.
package enum ScenarioFailure: Error, Hashable, Sendable {
  /// The file says something that has no meaning.
  case unreadable(JSON5Error)
  /// A step asks for what the store would refuse.
  case impossible(Place, StoreRefusal)
  /// A step is to happen at a time of the story that the steps before it have passed.
  case timeIsOver(Place, at: TimeSpan, now: TimeSpan)
}

extension ScenarioFailure: CustomStringConvertible {
  /// Shape: the place and a clause; what stands in the file, nothing else.
  package var description: String {
    switch self {
    case .unreadable(let error): error.description
    case .impossible(let place, let refusal): "\(place): this cannot happen: \(refusal)"
    case .timeIsOver(let place, let moment, let now):
      "\(place): at: \(moment.words) after the start is over: the step before happens "
        + "\(now.words) after it; steps stand in the order in which they happen"
    }
  }
}
