public import AppStoreModel

/// How busy one endpoint is, for progress and estimates.
public struct EndpointLoad: Hashable, Sendable {
  public let waiting: Int
  public let running: Int
  /// How many calls could be made at once.
  public let available: Int64
  /// Set while the App Store asks to pause.
  public let pausedUntil: Timestamp?
}
