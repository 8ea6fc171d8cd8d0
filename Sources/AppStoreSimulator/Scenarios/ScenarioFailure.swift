package import JSON5

/// Why a scenario cannot be played: where, and why.
package enum ScenarioFailure: Error, Hashable, Sendable {
  /// The file says something that has no meaning.
  case unreadable(JSON5Error)
  /// A step asks for what the store would refuse.
  case impossible(Place, StoreRefusal)
}

extension ScenarioFailure: CustomStringConvertible {
  /// Shape: the place and a clause; what stands in the file, nothing else.
  package var description: String {
    switch self {
    case .unreadable(let error): error.description
    case .impossible(let place, let refusal): "\(place): this cannot happen: \(refusal)"
    }
  }
}
