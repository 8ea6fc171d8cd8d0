import EntitlementLedger

/// The way that a walk was led through the pages of Apple's API: a pure rule for every one of them.
///
/// A token that came before on the same walk, one that is missing or longer than any of Apple's, and more
/// pages than there can be are faults of the answer: going on would never end.
struct PageTrail: Hashable, Sendable {
  /// How long a walk may be.
  ///
  /// A page of Apple's holds twenty items.
  struct Bound: Hashable, Sendable {
    let pages: Int64
    /// Pages in a row without an item.
    let emptyPages: Int64

    /// Twenty million notifications; filters of Apple's may leave many pages empty.
    static let notificationHistory = Bound(pages: 1_000_000, emptyPages: 1_000)
    /// A hundred thousand purchases of one customer.
    static let transactionHistory = Bound(pages: 5_000, emptyPages: 50)
    /// Twenty thousand refunds of one customer.
    static let refundHistory = Bound(pages: 1_000, emptyPages: 50)
  }

  /// Unit: bytes.
  static let longestToken = 8_192

  private let bound: Bound
  private var pages: Int64
  private var emptyPages: Int64 = 0
  /// The beginnings of the tokens' hashes: a walk may be long.
  private var passed: Set<UInt64> = []

  /// Begins at a page, or goes on there.
  ///
  /// - Parameters:
  ///   - bound: How long the walk may be.
  ///   - token: Of the page that is asked for first.
  ///   - pages: How many came before it.
  init(_ bound: Bound, at token: String?, pages: Int64 = 0) {
    self.bound = bound
    self.pages = pages
    if let token { passed.insert(Self.mark(token)) }
  }

  /// Passes a page.
  ///
  /// - Returns: The token of the next page; `nil` on the last.
  /// - Throws: ``QuestionFailure/endlessPages(detail:)``.
  mutating func next(
    _ token: String?, hasMore: Bool, isEmpty: Bool
  ) throws(QuestionFailure) -> String? {
    pages += 1
    emptyPages = isEmpty ? emptyPages + 1 : 0
    if let token, token.utf8.count > Self.longestToken {
      throw .endlessPages(detail: "a token of \(token.utf8.count) bytes")
    }
    guard hasMore else { return nil }
    guard let token, !token.isEmpty else {
      throw .endlessPages(detail: "another page is promised without a token")
    }
    guard passed.insert(Self.mark(token)).inserted else {
      throw .endlessPages(detail: "a token came a second time")
    }
    guard pages < bound.pages else {
      throw .endlessPages(detail: "more than \(bound.pages) pages")
    }
    guard emptyPages < bound.emptyPages else {
      throw .endlessPages(detail: "\(bound.emptyPages) empty pages in a row")
    }
    return token
  }

  private static func mark(_ token: String) -> UInt64 {
    Fingerprint(of: Array(token.utf8)).bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }
}

extension PageTrail {
  mutating func next(_ page: TransactionPage) throws(QuestionFailure) -> String? {
    try next(page.revision, hasMore: page.hasMore, isEmpty: page.signedTransactions.isEmpty)
  }

  mutating func next(_ page: NotificationHistoryPage) throws(QuestionFailure) -> String? {
    try next(page.next, hasMore: page.next != nil, isEmpty: page.entries.isEmpty)
  }
}
