package import AppStoreModel

/// Tells the time; a test brings a clock of its own.
package struct ServerClock: Sendable {
  package static let system = ServerClock { WallClock.now }

  let now: @Sendable () -> Timestamp

  package init(_ now: @escaping @Sendable () -> Timestamp) {
    self.now = now
  }
}
