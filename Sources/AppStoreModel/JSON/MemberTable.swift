/// The members of one payload type, found by name without making a `String`.
package struct MemberTable<Payload: JSONPayload>: Sendable {
  package let list: [Member<Payload>]
  /// Positions in `list` by hash of the name, open addressing; `none` where free.
  private let slots: [UInt8]

  private static var none: UInt8 { 255 }

  /// - Precondition: fewer than 64 members, so that one word can note which were seen.
  package init(_ list: [Member<Payload>]) {
    precondition(list.count < 64, "a payload type has at most 63 known members")
    self.list = list
    var slots = [UInt8](repeating: Self.none, count: 256)
    for (index, member) in list.enumerated() {
      var slot = Self.hash(UnsafeBufferPointer(start: member.name.utf8Start, count: member.length))
      while slots[slot] != Self.none { slot = (slot + 1) & 255 }
      slots[slot] = UInt8(index)
    }
    self.slots = slots
  }

  func read(into payload: inout Payload, from reader: inout JSONReader) throws(MalformedPayload) {
    try reader.beginObject()
    var first = true
    var seen: UInt64 = 0
    var unknownNames: Set<String> = []
    while let range = try reader.nextMember(first: &first) {
      guard let index = try position(of: range, in: reader) else {
        try keepUnknown(range, in: &payload, &unknownNames, from: &reader)
        continue
      }
      let member = list[index]
      guard seen & (1 << UInt64(index)) == 0 else {
        throw reader.failure(.duplicateMember).inside("\(member.name)")
      }
      seen |= 1 << UInt64(index)
      if try reader.null() { continue }
      do throws(MalformedPayload) {
        try member.read(&payload, &reader)
      } catch {
        throw error.inside("\(member.name)")
      }
    }
  }

  /// The failure does not repeat the name: it is a stranger's text, and failures are logged.
  private func keepUnknown(
    _ range: JSONStringRange, in payload: inout Payload, _ names: inout Set<String>,
    from reader: inout JSONReader
  ) throws(MalformedPayload) {
    let name = try reader.text(of: range)
    guard names.insert(name).inserted else { throw reader.failure(.duplicateMember) }
    let value = try reader.skipValue()
    payload.unknownMembers.append(name, json: UnsafeBufferPointer(rebasing: reader.bytes[value]))
  }

  private func position(
    of range: JSONStringRange, in reader: JSONReader
  ) throws(MalformedPayload) -> Int? {
    if range.hasEscapes {
      var name = try reader.text(of: range)
      return name.withUTF8 { position(of: $0) }
    }
    return position(of: UnsafeBufferPointer(rebasing: reader.bytes[range.bounds]))
  }

  private func position(of name: UnsafeBufferPointer<UInt8>) -> Int? {
    var slot = Self.hash(name)
    while slots[slot] != Self.none {
      let index = Int(slots[slot])
      if list[index].isNamed(name) { return index }
      slot = (slot + 1) & 255
    }
    return nil
  }

  /// Tells Apple's names apart by length and three of their letters.
  private static func hash(_ name: UnsafeBufferPointer<UInt8>) -> Int {
    guard let first = name.first, let last = name.last else { return 0 }
    let middle = name[name.count / 2]
    return (name.count &* 31 &+ Int(first) &* 7 &+ Int(last) &* 13 &+ Int(middle) &* 5) & 255
  }
}
