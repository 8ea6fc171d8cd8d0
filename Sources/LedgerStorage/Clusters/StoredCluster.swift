package import AppStoreModel
package import LedgerReports

/// A cluster that was told, as it stands now.
package struct StoredCluster: Hashable, Sendable {
  /// Grows in the order of telling.
  package let position: Int64
  package let cluster: FaultCluster
  package let toldAt: Timestamp
}

/// How far the counting of purchases has come.
package struct TallyProgress: Hashable, Sendable {
  /// Whether everything that is known was counted.
  package let isComplete: Bool
  /// Purchases and versions that this step read.
  package let read: Int
}
