/// A JSON object of Apple's whose members are listed once, for reading and for writing.
package protocol JSONPayload: Sendable {
  static var members: MemberTable<Self> { get }

  var unknownMembers: UnknownMembers { get set }

  init()
}

extension JSONPayload {
  /// Reads a whole text.
  package init(whole json: UnsafeBufferPointer<UInt8>) throws(MalformedPayload) {
    var reader = JSONReader(json)
    try self.init(from: &reader)
    try reader.end()
  }

  package init(from reader: inout JSONReader) throws(MalformedPayload) {
    self.init()
    try Self.members.read(into: &self, from: &reader)
  }

  package func write(to writer: inout JSONWriter) {
    writer.object { writer in
      for member in Self.members.list { member.write(self, &writer) }
      for unknown in unknownMembers.members {
        writer.name(unknown.name)
        writer.raw(unknown.json)
      }
    }
  }

  package func written() -> [UInt8] {
    var writer = JSONWriter()
    write(to: &writer)
    return writer.bytes
  }
}
