/// The system that a simulated device runs, by what StoreKit gained with it.
public enum SimulatedSystem: Int, Hashable, Sendable, CaseIterable, Comparable {
  /// No transaction of the app itself, and no `appTransactionId` anywhere.
  case iOS15
  /// The app's own transaction; no word for the kind of a revocation, and no share.
  case iOS18
  /// Kind and share of a revocation; no link between a bundle and what it replaced.
  case iOS26
  /// All that StoreKit has.
  case iOS27

  /// An older system comes before a newer one.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  /// Since iOS 16.
  package var hasAppTransaction: Bool { self >= .iOS18 }

  /// Since iOS 26.4.
  package var hasRevocationDetails: Bool { self >= .iOS26 }

  /// Since iOS 27.
  package var hasBundles: Bool { self >= .iOS27 }
}
