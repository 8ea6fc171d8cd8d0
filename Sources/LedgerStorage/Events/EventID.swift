/// What an event is called, wherever it is read: its place in the ledger, and what tells it from an
/// event of another ledger at the same place.
///
/// Shape: `evt_`, the position, `_` and 16 hexadecimal digits.
package struct EventID: Hashable, Sendable {
  package let position: Int64
  let mark: String

  init(position: Int64, mark: String) {
    self.position = position
    self.mark = mark
  }

  /// Reads an event's id; `nil` for anything else.
  package init?(_ text: String) {
    let parts = text.split(separator: "_", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0] == "evt", let position = EventID.position(parts[1]),
      EventID.isMark(parts[2])
    else { return nil }
    self.init(position: position, mark: String(parts[2]))
  }

  package var text: String { "evt_\(position)_\(mark)" }

  private static func position(_ text: Substring) -> Int64? {
    guard let number = Int64(text), number > 0, String(number) == text else { return nil }
    return number
  }

  private static func isMark(_ text: Substring) -> Bool {
    text.utf8.count == 16
      && text.utf8.allSatisfy { byte in
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
          || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
      }
  }
}
