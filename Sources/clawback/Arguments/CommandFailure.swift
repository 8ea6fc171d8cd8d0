/// An end of a command that its user should read.
struct CommandFailure: Error, CustomStringConvertible {
  /// Shape: one sentence, safe to log.
  let description: String

  /// The next step, absent when there is none to name.
  let advice: String?

  let code: ExitCode

  init(_ description: String, advice: String? = nil, code: ExitCode = .failure) {
    self.description = description
    self.advice = advice
    self.code = code
  }
}
