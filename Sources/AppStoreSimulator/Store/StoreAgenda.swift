/// What the store will do by itself, by the moment at which it is due.
package struct StoreAgenda: Sendable {
  /// By the numbers of the chains.
  var chains = DueQueue<Int>()
  /// Requests for money, by the transaction whose money was asked for.
  var requests = DueQueue<String>()
  /// How often a chain was looked at to see what it needs next.
  package internal(set) var looks = 0
}
