package import AppStoreModel

/// Somebody to whom news or Apple's notifications are sent.
package struct Destination: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Gets events of some apps in one environment, signed by us.
    case webhook
    /// Gets what Apple posted, byte for byte.
    case forwarding
  }

  /// Why nothing is sent any more.
  package enum Stop: String, Hashable, Sendable, CaseIterable {
    /// Nothing succeeded for too long.
    case failing
    /// The receiver said 410: it is gone for good.
    case gone
    case `operator`
  }

  package let id: Int64
  /// Names it to the outside, for ever.
  package let name: String
  package let kind: Kind
  package let url: String
  /// `nil` for forwarding, which asks nothing about the content.
  package let environment: AppStoreEnvironment?
  /// Whose events it gets.
  package let bundleIds: Set<String>
  /// Which events; empty means all.
  package let types: Set<String>
  package let description: String
  package let madeAt: Timestamp
  /// Since when nothing has succeeded, though it was tried.
  package let failingSince: Timestamp?
  package private(set) var disabledAt: Timestamp?
  package private(set) var disabledBecause: Stop?

  /// As it is once nothing is sent any more.
  package func disabled(_ reason: Stop, at now: Timestamp) -> Destination {
    var copy = self
    copy.disabledAt = now
    copy.disabledBecause = reason
    return copy
  }
}

/// What is stated of a destination that is to be made.
package struct NewDestination: Hashable, Sendable {
  package var name: String
  package var kind: Destination.Kind
  package var url: String
  package var environment: AppStoreEnvironment?
  package var bundleIds: Set<String> = []
  package var types: Set<String> = []
  package var description = ""
  /// 24 to 64 bytes; forwarding has none.
  package var secret: [UInt8]?

  package init(name: String, kind: Destination.Kind, url: String) {
    self.name = name
    self.kind = kind
    self.url = url
  }
}

/// What is to be different; `nil` stays as it is.
package struct DestinationChange: Hashable, Sendable {
  package var url: String?
  package var bundleIds: Set<String>?
  package var types: Set<String>?
  package var description: String?

  package init() {}
}

/// A secret by which deliveries are signed.
package struct DestinationSecret: Hashable, Sendable {
  package let bytes: [UInt8]
  package let madeAt: Timestamp
  /// When it stops to count; `nil` for the one in force.
  package let endsAt: Timestamp?
}
