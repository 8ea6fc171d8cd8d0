import Testing

@testable import clawback

struct CommandFailureTests {
  @Test(arguments: [
    ("own: line 1: is after meant?", "own: line 1: is after meant?"),
    ("own: Nothing was bought.", "own: Nothing was bought."),
    ("a clause", "a clause."), ("Stop!", "Stop!"), ("", ""),
  ])
  func `a failure ends as one sentence, whoever wrote its end`(words: String, text: String) {
    #expect(CommandFailure(words).description == text)
  }
}
