/// Says at once what keeps Apple from answering, where no bar shows it.
struct ToldTrouble {
  private let console: Console
  private var told: Set<String> = []

  init(_ console: Console) {
    self.console = console
  }

  /// Each trouble is told once.
  mutating func tell(_ trouble: String?) {
    guard let trouble, !console.isWatched, told.count < 100, told.insert(trouble).inserted else {
      return
    }
    console.note(trouble.asSentence)
  }
}
