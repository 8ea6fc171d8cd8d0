import AppStoreModel
import Glibc
import Testing

@testable import LedgerServer

struct LogTests {
  private func lines(capacity: Int = 100, _ body: (Log) -> Void) -> [String] {
    var ends: [Int32] = [0, 0]
    pipe(&ends)
    let log = Log(descriptor: ends[1], capacity: capacity)
    body(log)
    log.close()
    close(ends[1])
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = read(ends[0], &bytes, bytes.count)
    close(ends[0])
    return String(decoding: bytes[..<max(0, count)], as: UTF8.self)
      .split(separator: "\n").map(String.init)
  }

  @Test func `a line is one JSON object`() {
    let line = LogLine(.warning, "answered").with("status", 503).with("detail", "a\n\"b\"")
      .with("absent", nil as String?)
    let text = String(decoding: line.text(at: Timestamp(millisecondsSince1970: 5)), as: UTF8.self)
    #expect(
      text == """
        {"atMs":5,"level":"warning","event":"answered","status":503,"detail":"a\\n\\"b\\""}

        """)
  }

  @Test func `what was written before the end is on the file`() {
    let written = lines { log in
      for number in 0..<50 { log.write(LogLine(.info, "x").with("n", Int64(number))) }
    }
    #expect(written.count == 50)
    #expect(written.last?.contains("\"n\":49") == true)
  }

  @Test func `lines beyond the capacity are counted`() {
    let written = lines(capacity: 0) { log in log.write(LogLine(.info, "x")) }
    #expect(written.count == 1)
    #expect(written.first?.contains(#""event":"linesDropped","count":1"#) == true)
  }

  @Test func `a log that nobody reads holds up no stop`() {
    var ends: [Int32] = [0, 0]
    pipe(&ends)
    let log = Log(descriptor: ends[1])
    let line = LogLine(.info, "x").with("text", String(repeating: "a", count: 100_000))
    for _ in 0..<10 { log.write(line) }
    log.close(patience: .zero)
    close(ends[1])
    var byte: UInt8 = 0
    #expect(read(ends[0], &byte, 1) == 1)
    #expect(byte == UInt8(ascii: "{"))
    close(ends[0])
  }
}
