/// An end of a command that its user should read.
struct CommandFailure: Error, CustomStringConvertible {
  /// Shape: one sentence, safe to log.
  let description: String

  /// The next step, absent when there is none to name.
  let advice: String?

  let code: ExitCode

  /// - Parameters:
  ///   - description: What is wrong; a stop is added where it does not end as a sentence, so that
  ///     others' words may stand at its end.
  ///   - advice: The next step.
  ///   - code: What the shell is told.
  init(_ description: String, advice: String? = nil, code: ExitCode = .failure) {
    self.description = description.asSentence
    self.advice = advice
    self.code = code
  }
}

extension String {
  /// With a stop at its end, unless it ends as a sentence.
  var asSentence: String {
    last.map { ".!?".contains($0) } ?? true ? self : self + "."
  }
}
