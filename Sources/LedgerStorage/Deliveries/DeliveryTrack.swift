package import AppStoreModel

/// How far a destination has got: everything up to the cursor was delivered, waits in a lane, or was
/// given up.
package struct DeliveryTrack: Hashable, Sendable {
  package let id: Int64
  package let destinationID: Int64
  package let cursor: Int64
  /// Where a repetition of the past ends; `nil` for the track that follows what is new.
  package let end: Int64?
  /// Whether only dead letters are repeated, and not everything up to the end.
  package let isOfDeadLetters: Bool
}

/// What waits to be sent again, and holds back whatever comes later for the same customer.
package struct DeliveryLane: Hashable, Sendable {
  /// `nil` where there is nobody whose order counts.
  package let customerID: Int64?
  package let position: Int64
  /// How often it was tried.
  package let attempts: Int
  package let due: Timestamp

  package init(customerID: Int64?, position: Int64, attempts: Int, due: Timestamp) {
    self.customerID = customerID
    self.position = position
    self.attempts = attempts
    self.due = due
  }
}

/// Something to be sent, without its content.
package struct OutgoingItem: Hashable, Sendable {
  package let position: Int64
  package let customerID: Int64?
  /// `nil` for one of Apple's notifications.
  package let scope: Scope?
  package let type: String?

  package init(position: Int64, customerID: Int64?, scope: Scope? = nil, type: String? = nil) {
    self.position = position
    self.customerID = customerID
    self.scope = scope
    self.type = type
  }

  package struct Scope: Hashable, Sendable {
    package let bundleId: String
    package let environment: AppStoreEnvironment
  }
}
