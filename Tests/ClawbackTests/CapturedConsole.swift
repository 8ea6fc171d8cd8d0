import Synchronization

@testable import clawback

/// A console whose words a test reads afterwards.
final class CapturedConsole: Sendable {
  private let printed = Mutex("")
  private let noted = Mutex("")

  var output: String { printed.withLock { $0 } }
  var diagnostics: String { noted.withLock { $0 } }

  func console(isWatched: Bool = false) -> Console {
    Console(
      isWatched: isWatched,
      output: { text in self.printed.withLock { $0 += text } },
      diagnostics: { text in self.noted.withLock { $0 += text } })
  }
}
