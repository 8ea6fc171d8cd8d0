/// Why a JSON5 file cannot be used: where, and what should stand there.
public struct JSON5Error: Error, Hashable, Sendable {
  public let place: Place
  /// Shape: member names and positions from the outside in, `apps[0].bundleId`; empty at the top.
  public let path: String
  /// Shape: a clause without a final stop.
  public let problem: String

  public init(place: Place, path: String = "", problem: String) {
    self.place = place
    self.path = path
    self.problem = problem
  }
}

extension JSON5Error: CustomStringConvertible {
  public var description: String {
    path.isEmpty ? "\(place): \(problem)" : "\(place): \(path): \(problem)"
  }
}
