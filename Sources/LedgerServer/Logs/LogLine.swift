import AppStoreModel

/// One line of the log: a JSON object.
///
/// Nobody's token, payload or key belongs in it.
struct LogLine: Sendable {
  enum Level: String, Sendable {
    case info, warning, error
  }

  let level: Level
  /// What happened, in one word of the code's own: `started`, `answered`.
  let event: String
  private var members: [(name: String, value: JSONValue)] = []

  init(_ level: Level, _ event: String) {
    self.level = level
    self.event = event
  }

  func with(_ name: String, _ text: String?) -> LogLine {
    text.map { adding(name, .string($0)) } ?? self
  }

  func with(_ name: String, _ number: Int64?) -> LogLine {
    number.map { adding(name, .integer($0)) } ?? self
  }

  private func adding(_ name: String, _ value: JSONValue) -> LogLine {
    var line = self
    line.members.append((name, value))
    return line
  }

  /// The line as it is written, ended by a line feed.
  func text(at now: Timestamp) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("atMs", now.millisecondsSince1970)
      writer.member("level", level.rawValue)
      writer.member("event", event)
      for member in members {
        writer.name(member.name)
        member.value.write(to: &writer)
      }
    }
    return writer.bytes + [0x0A]
  }
}
