package import AppStoreModel

/// One thing that delivering changed; a list of them is written in order, all or none.
package enum DeliveryStep: Hashable, Sendable {
  case advance(track: Int64, cursor: Int64)
  /// Waits in a lane from now on, or goes on waiting.
  case hold(track: Int64, DeliveryLane)
  /// Waits no longer.
  case free(track: Int64, position: Int64)
  case finish(track: Int64)
  case bury(destination: Int64, DeadLetter)
  /// It was sent after all.
  case exhume(destination: Int64, position: Int64)
  case log(destination: Int64, DeliveryAttempt)
  /// Since when only failures; `nil` after a success.
  case failing(destination: Int64, since: Timestamp?)
  case disable(destination: Int64, Destination.Stop, at: Timestamp)
}

extension DeliveryStep {
  /// Whether what it is about is still there.
  func belongs(to destinations: Set<Int64>, _ tracks: Set<Int64>) -> Bool {
    switch self {
    case .advance(let track, _), .hold(let track, _), .free(let track, _), .finish(let track):
      tracks.contains(track)
    case .bury(let destination, _), .exhume(let destination, _), .log(let destination, _),
      .failing(let destination, _), .disable(let destination, _, _):
      destinations.contains(destination)
    }
  }
}
