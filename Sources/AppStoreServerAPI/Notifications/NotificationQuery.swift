public import AppStoreModel
public import AppStoreVerification

/// Which notifications are wanted.
///
/// Type and transaction exclude each other, and a subtype needs its type: other combinations, which
/// Apple refuses, cannot be stated.
///
/// Source: Apple's `NotificationHistoryRequest`.
public struct NotificationQuery: Hashable, Sendable {
  public enum Filter: Hashable, Sendable {
    case all
    case type(NotificationType, subtype: NotificationSubtype? = nil)
    case transaction(String)
  }

  public var startDate: Timestamp
  /// Apple cuts one in the future to the present.
  public var endDate: Timestamp
  public var filter: Filter
  /// Only what did not arrive, also while the App Store still tries.
  public var onlyFailures: Bool

  public init(
    from startDate: Timestamp, to endDate: Timestamp, _ filter: Filter = .all,
    onlyFailures: Bool = false
  ) {
    self.startDate = startDate
    self.endDate = endDate
    self.filter = filter
    self.onlyFailures = onlyFailures
  }
}

extension NotificationQuery {
  /// How far back the App Store remembers.
  public static func reach(in environment: ServerEnvironment) -> TimeSpan {
    environment == .production ? .days(180) : .days(30)
  }

  /// The same query, begun no earlier than the App Store remembers.
  ///
  /// Stays an hour inside the limit, because all pages must be asked for with the same dates.
  ///
  /// - Returns: the query, and whether its start was moved.
  public func cut(
    toReachIn environment: ServerEnvironment, now: Timestamp
  ) -> (query: NotificationQuery, isCut: Bool) {
    let earliest = now.subtracting(Self.reach(in: environment)).adding(.hours(1))
    guard startDate < earliest else { return (self, false) }
    var query = self
    query.startDate = earliest
    return (query, true)
  }
}
