/// What a key may do.
package enum KeyScope: String, CaseIterable, Sendable {
  /// Reports transactions of one device; the app carries it, so anybody can have it.
  case device
  /// Reads decisions, timelines, refunds and events.
  case read
  /// Reads, asks the spend gate, links purchases to customers, reports transactions.
  case spend
  /// Everything, with transfers and unlinking.
  case admin
}
