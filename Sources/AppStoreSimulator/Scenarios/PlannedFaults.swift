package import AppStoreModel

/// What goes wrong between the App Store and the receiver, as a scenario plans it.
package struct PlannedFaults: Hashable, Sendable {
  /// A time without answers, counted from the first step.
  package struct Outage: Hashable, Sendable {
    package let start: TimeSpan
    package let length: TimeSpan

    package init(start: TimeSpan, length: TimeSpan) {
      self.start = start
      self.length = length
    }
  }

  package var outages: [Outage] = []
  /// How many of a thousand notifications arrive twice.
  package var duplicatedPerMille = 0
  /// How many of a thousand are lost, while the App Store believes that they arrived.
  package var droppedPerMille = 0
  /// How many of a thousand are sent late, and by how much at most.
  package var delayedPerMille = 0
  package var greatestDelay = TimeSpan.hours(2)
  /// Whether a retry gets signatures and dates of its own.
  package var resignsRetries = false
  /// What the API answers wrongly, in order.
  package var calls: [CallFault] = []

  package init() {}
}

/// One call of the API that does not go well.
package struct CallFault: Hashable, Sendable {
  /// Shape: the last words of the endpoint's path, as the control address takes them.
  package let endpoint: String
  /// Apple's error code; its first three digits are the HTTP status.
  package let errorCode: Int64
  /// How often.
  package let times: Int
}
