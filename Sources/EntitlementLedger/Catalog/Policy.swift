public import AppStoreModel

/// How doubt is treated, over time.
public struct Policy: Hashable, Sendable {
  /// An hour of renewal leeway; unknown customers are denied.
  public static let standard = Policy([])

  private let entries: [PolicyEntry]

  /// Takes entries in any order.
  public init(_ entries: [PolicyEntry]) {
    self.entries = entries.sorted { $0.effectiveFrom < $1.effectiveFrom }
  }

  /// The entries, the earliest first.
  package var all: [PolicyEntry] { entries }

  /// The entry in force at a moment: of a revocation, an expiry, or a question.
  public func entry(at moment: Timestamp) -> PolicyEntry {
    entries.last { $0.effectiveFrom <= moment } ?? PolicyEntry()
  }
}
