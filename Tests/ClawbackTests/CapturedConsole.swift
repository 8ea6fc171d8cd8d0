import Synchronization

@testable import clawback

/// A console whose words a test reads afterwards.
final class CapturedConsole: Sendable {
  private let printed = Mutex("")
  private let noted = Mutex("")

  var output: String { printed.withLock { $0 } }
  var diagnostics: String { noted.withLock { $0 } }

  /// - Parameters:
  ///   - isWatched: Whether somebody watches the diagnostics.
  ///   - loss: Why nothing that is printed arrives.
  /// - Returns: A console whose words end here.
  func console(isWatched: Bool = false, loss: String? = nil) -> Console {
    Console(
      isWatched: isWatched,
      output: { text in self.printed.withLock { $0 += text } },
      diagnostics: { text in self.noted.withLock { $0 += text } }, loss: { loss })
  }
}
