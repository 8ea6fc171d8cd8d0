/// One of several answers to one question, with the mark to ask for the next with.
public protocol Page: Sendable {
  /// What to pass to get what follows: a revision or a pagination token.
  var mark: String? { get }
  /// Whether there is more now.
  var hasMore: Bool { get }
}

extension Page {
  /// The mark of the next page, or `nil` when this was the last.
  ///
  /// Give it the mark that this page was asked for with.
  ///
  /// Errors: ``AppStoreServerError/pagingStalled`` when there should be more and no way leads to it;
  /// going on would repeat this page for ever, and stopping would lose the rest.
  public func next(after mark: String?) throws(AppStoreServerError) -> String? {
    guard hasMore else { return nil }
    guard let following = self.mark, !following.isEmpty, following != mark else {
      throw .pagingStalled
    }
    return following
  }
}
