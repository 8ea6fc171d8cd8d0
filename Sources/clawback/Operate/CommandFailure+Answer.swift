import AppStoreModel

extension CommandFailure {
  /// Why an operations command could not be done, in the words of who was to do it; `nil` for an answer
  /// that says nothing of the kind.
  init?(answer: JSONValue) {
    guard let error = answer["error"]?.string else { return nil }
    self.init(error, advice: answer["advice"]?.string)
  }
}
