import HTTPListener
import AppStoreModel
import LedgerStorage
import Testing

@testable import LedgerServer

/// No reader holds memory without bound, and none holds up another.
struct StreamLimitTests {
  @Test func `a reader that does not read delays nobody, and misses nothing`() throws {
    let served = try ServedLedger { $0.limits.http.writeTime = .hours(1) }
    defer { served.stop() }
    let slow = try StreamReader(served, "?after=0", window: 4_096)
    let quick = try StreamReader(served, "?after=0")
    try served.tell(0..<3_000)
    for reader in [quick, slow] {
      #expect((1...3_000).allSatisfy { reader.event()?.version == $0 })
    }
  }

  @Test func `streams are counted by key, by address and in total, and given back`() throws {
    let rows: [(String, (inout Limits) -> Void, Int)] = [
      ("key", { $0.streamsPerKey = 2 }, 429), ("address", { $0.streamsPerAddress = 2 }, 429),
      ("total", { $0.streams = 2 }, 503),
    ]
    for (name, limit, status) in rows {
      let served = try ServedLedger { limit(&$0.limits) }
      defer { served.stop() }
      var readers = try (0..<2).map { _ in try StreamReader(served) }
      let third = try StreamReader(served)
      #expect(third.status == status, "\(name)")
      #expect(third.header.contains("Retry-After:"), "\(name)")
      readers.removeFirst()
      // The connection that is gone is noticed when something is sent on it.
      var isIn = false
      while !isIn {
        served.moment.set(served.moment.get().adding(.seconds(15)))
        isIn = try StreamReader(served).status == 200
      }
      #expect(readers.first?.status == 200)
    }
  }

  @Test func `another key and another address have places of their own`() throws {
    let served = try ServedLedger {
      $0.limits.streamsPerKey = 1
      $0.limits.streamsPerAddress = 2
    }
    defer { served.stop() }
    let first = try StreamReader(served)
    let second = try StreamReader(served, "", .spend)
    #expect([first.status, second.status] == [200, 200])
    #expect(try StreamReader(served, "", .admin).status == 429)
    #expect(try StreamReader(served, "", .admin, from: "127.0.0.2").status == 200)
  }
}

/// What a stream keeps of what it still has to send.
struct EventBacklogTests {
  private static func read(_ backlog: inout EventBacklog, _ size: Int) -> String {
    var buffer = [UInt8](repeating: 0, count: size)
    let count = buffer.withUnsafeMutableBytes { backlog.fill($0) }
    return String(decoding: buffer[..<count], as: UTF8.self)
  }

  @Test(arguments: 1...9)
  func `what goes in comes out, whatever a connection takes at a time`(size: Int) {
    var backlog = EventBacklog()
    for piece in ["abc", "d", "efghi"] { backlog.append(Array(piece.utf8)) }
    var text = ""
    while !backlog.isEmpty { text += Self.read(&backlog, size) }
    #expect(text == "abcdefghi")
  }

  @Test func `what is half sent is sent to its end, and the rest is let go`() {
    var backlog = EventBacklog()
    for piece in ["abc", "def"] { backlog.append(Array(piece.utf8)) }
    #expect(Self.read(&backlog, 2) == "ab")
    backlog.drop()
    backlog.append(Array("!".utf8))
    #expect(Self.read(&backlog, 9) == "c!")
    backlog.append(Array("xyz".utf8))
    backlog.drop()
    #expect(backlog.isEmpty)
  }

  @Test func `a pulse is due when nothing was sent for its interval`() {
    var pulse = StreamPulse(every: .seconds(15), at: 1_000)
    #expect(!pulse.isDue(at: 15_999))
    #expect(pulse.isDue(at: 16_000))
    pulse.sent(at: 16_000)
    #expect(!pulse.isDue(at: 30_999))
  }
}
