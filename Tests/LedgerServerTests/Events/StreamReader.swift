import AppStoreModel
import Testing

@testable import LedgerServer

/// Reads a stream of events as a backend does.
final class StreamReader {
  /// What stands between two empty lines.
  struct Message {
    var id: String?
    var data: String?
    var retry: String?
    var comment: String?

    var type: String? { json?["type"]?.string }
    var version: Int64? { json?["version"]?.integer }
    var json: JSONValue? { data.flatMap { try? JSONValue(json: Array($0.utf8)) } }
  }

  let header: String
  private let client: RawClient
  private var chunked: [UInt8] = []
  private var text: [UInt8] = []
  private var begun = 0
  private var read = 0
  private var isOver = false
  /// The id to connect with again.
  private(set) var lastID: String?

  init(
    _ served: ServedLedger, _ query: String = "", _ scope: KeyScope = .read,
    _ environment: AppStoreEnvironment = .sandbox, lastEventID: String? = nil,
    from source: String? = nil, window: Int32? = nil
  ) throws {
    client = try RawClient(port: served.service.port, from: source, window: window)
    let field = lastEventID.map { "Last-Event-ID: \($0)\r\n" } ?? ""
    client.send(
      "GET /v1/events/stream\(query) HTTP/1.1\r\nHost: x\r\n"
        + "Authorization: Bearer \(try served.secret(scope, environment))\r\n\(field)\r\n")
    header = try client.header()
  }

  var status: Int { Int(header.split(separator: " ")[1]) ?? 0 }

  /// The next message of any kind; `nil` when the stream is over.
  func next() -> Message? {
    while true {
      if let message = message() { return message }
      guard fill() else { return nil }
    }
  }

  /// The next event; `nil` when the stream is over.
  func event() -> Message? {
    while let message = next() {
      if message.data != nil { return message }
    }
    return nil
  }

  /// The last comment before the end.
  func goodbye() -> String? {
    var last: String?
    while let message = next() { last = message.comment ?? last }
    return last
  }

  private func message() -> Message? {
    while read < text.count - 1 {
      if text[read] == 0x0A, text[read + 1] == 0x0A {
        let lines = String(decoding: text[begun..<read], as: UTF8.self)
        read += 2
        begun = read
        return message(lines)
      }
      read += 1
    }
    text.removeFirst(begun)
    read -= begun
    begun = 0
    return nil
  }

  private func message(_ lines: String) -> Message {
    var message = Message()
    for line in lines.split(separator: "\n") {
      let halves = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let value = halves.count == 2 ? String(halves[1].drop { $0 == " " }) : ""
      switch halves[0] {
      case "id": message.id = value
      case "data": message.data = value
      case "retry": message.retry = value
      case "": message.comment = value
      default: Issue.record("an unknown field \(line)")
      }
    }
    lastID = message.id ?? lastID
    return message
  }

  private func fill() -> Bool {
    while !isOver {
      if dechunk() { return true }
      guard let piece = client.piece() else { return false }
      chunked += piece
    }
    return false
  }

  /// Takes what is whole of the transfer coding.
  private func dechunk() -> Bool {
    var place = 0
    let before = text.count
    while !isOver, let end = chunked[place...].firstIndex(of: 0x0A) {
      let size = Int(
        String(decoding: chunked[place..<end], as: UTF8.self).filter(\.isHexDigit), radix: 16)
      guard let size, chunked.count >= end + 1 + size + 2 else { break }
      text += chunked[(end + 1)..<(end + 1 + size)]
      place = end + 1 + size + 2
      isOver = size == 0
    }
    chunked.removeFirst(place)
    return text.count > before
  }
}
