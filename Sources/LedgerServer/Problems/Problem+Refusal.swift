import HTTPListener

extension Problem {
  /// What a request is told that no handler saw.
  ///
  /// It has a label because both this and the plain initializer know an `overloaded`.
  init(refusing refusal: Refusal) {
    switch refusal {
    case .malformed(let sentence): self.init(.malformedRequest, sentence)
    case .bodyTooLarge(let limit):
      self.init(.bodyTooLarge, "The limit is \(limit) bytes; nothing was read.")
    case .overloaded: self.init(.overloaded)
    }
  }
}
