import EntitlementKit
import Foundation
import Testing

/// `kill -9` in the middle of writing, to a process of its own.
struct KilledWriterTests {
  private static let target =
    ProcessInfo.processInfo.environment["CLAWBACK_WRITES_TO"].map { URL(fileURLWithPath: $0) }
  private static let count = 300

  private static func queue(_ number: Int) -> ReportQueue {
    var queue = ReportQueue()
    let long = String(repeating: "x", count: 4_000)
    for place in 0..<count { _ = queue.add(.transaction("\(number).\(place).\(long)")) }
    return queue
  }

  /// Writes one queue after the other until it is killed.
  @Test(.enabled(if: KilledWriterTests.target != nil))
  func `the process that is killed writes`() throws {
    let file = FileCache(file: try #require(Self.target))
    for number in 1...1_000_000 { try file.write(Self.queue(number).bytes()) }
  }

  @Test(.enabled(if: KilledWriterTests.target == nil))
  func `a process that is killed while it writes leaves one whole queue`() async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("killed-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = FileCache(file: folder.appendingPathComponent("reports.queue"))
    for round in 1...3 {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      process.arguments = ["--testing-library", "swift-testing", "--filter", "KilledWriterTests"]
      process.environment = ProcessInfo.processInfo.environment.merging(
        ["CLAWBACK_WRITES_TO": file.file.path]
      ) { $1 }
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try? FileManager.default.removeItem(at: file.file)
      try process.run()
      #expect(await Self.number(in: file, isAtLeast: 2 + round, while: { process.isRunning }))
      kill(process.processIdentifier, SIGKILL)
      while process.isRunning { try await Task.sleep(nanoseconds: 1_000_000) }
      let left = ReportQueue(try #require(try file.read()))
      let number = try #require(Self.number(of: left))
      #expect(left == Self.queue(number))
    }
  }

  private static func number(of queue: ReportQueue) -> Int? {
    guard case .transaction(let text) = queue.nextBatch?.first else { return nil }
    return text.split(separator: ".").first.flatMap { Int($0) }
  }

  private static func number(
    in file: FileCache, isAtLeast least: Int, while isRunning: () -> Bool
  ) async -> Bool {
    for _ in 0..<60_000 where isRunning() {
      if let bytes = try? file.read(), number(of: ReportQueue(bytes)) ?? 0 >= least {
        return true
      }
      try? await Task.sleep(nanoseconds: 1_000_000)
    }
    return false
  }
}
