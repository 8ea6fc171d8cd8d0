/// Remembers, for the length of one write, the last event that it added.
package final class EventTally {
  package private(set) var last: Int64?

  package init() {}

  func count(_ position: Int64) { last = position }
}
