package import AppStoreModel

/// What goes wrong between the App Store and the receiver.
package struct DeliveryFaults: Hashable, Sendable {
  /// How many of a thousand notifications arrive twice.
  package var duplicatedPerMille = 0
  /// How many of a thousand are lost on the way, while the App Store believes that they arrived.
  package var droppedPerMille = 0
  /// How many of a thousand are sent late.
  package var delayedPerMille = 0
  /// By how much at most.
  package var greatestDelay = TimeSpan.hours(2)
  /// When nobody answers.
  package var outages: [Range<Timestamp>] = []
  /// Whether a retry gets signatures and signed dates of its own.
  package var resignsRetries = false

  package init() {}

  package func isDown(at moment: Timestamp) -> Bool {
    outages.contains { $0.contains(moment) }
  }
}
