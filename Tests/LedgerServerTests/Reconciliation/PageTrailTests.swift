import AppStoreModel
import Testing

@testable import LedgerServer

/// Where a walk through pages is at its end, and where it would never come to one.
struct PageTrailTests {
  private static let bound = PageTrail.Bound(pages: 5, emptyPages: 3)

  /// Passes pages with items unless stated; `nil` is the last.
  private func walk(
    _ tokens: [String?], from first: String? = nil, empty: Bool = false, after pages: Int64 = 0
  ) throws(QuestionFailure) -> [String?] {
    var trail = PageTrail(Self.bound, at: first, pages: pages)
    var led: [String?] = []
    for token in tokens {
      led.append(try trail.next(token, hasMore: token != nil, isEmpty: empty))
    }
    return led
  }

  @Test func `tokens that are all new lead to the last page`() throws {
    #expect(try walk(["A", "B", nil]) == ["A", "B", nil])
    #expect(try walk(["B", "C"], from: "A") == ["B", "C"])
    var trail = PageTrail(Self.bound, at: nil)
    let end = try trail.next("Z", hasMore: false, isEmpty: true)
    #expect(end == nil, "a revision for later")
  }

  @Test(arguments: [["A", "A"], ["A", "B", "A"], ["0"], ["A", "0"]])
  func `a token that came before is a fault`(tokens: [String]) {
    #expect(throws: QuestionFailure.endlessPages(detail: "a token came a second time")) {
      try walk(tokens, from: "0")
    }
  }

  @Test func `more pages than there can be are a fault, however the walk was cut`() {
    let failure = QuestionFailure.endlessPages(detail: "more than 5 pages")
    #expect(throws: failure) { try walk(["A", "B", "C", "D", "E"]) }
    #expect(throws: failure) { try walk(["D", "E"], from: "C", after: 3) }
  }

  @Test func `too many empty pages in a row are a fault`() {
    let failure = QuestionFailure.endlessPages(detail: "3 empty pages in a row")
    #expect(throws: failure) { try walk(["A", "B", "C"], empty: true) }
  }

  @Test func `a page that is promised without a token is a fault, and so is a token without end`() {
    let missing = QuestionFailure.endlessPages(
      detail: "another page is promised without a token")
    #expect(throws: missing) { try walk([""]) }
    var trail = PageTrail(Self.bound, at: nil)
    #expect(throws: missing) { try trail.next(nil, hasMore: true, isEmpty: false) }
    let long = String(repeating: "x", count: PageTrail.longestToken + 1)
    for hasMore in [true, false] {
      #expect(throws: QuestionFailure.endlessPages(detail: "a token of 8193 bytes")) {
        try trail.next(long, hasMore: hasMore, isEmpty: false)
      }
    }
  }

  @Test func `each new beginning rests longer, at most an hour, and three are one too many`() {
    let now = ReconciledLedger.start
    var restarts = WalkRestarts()
    var rests: [Int64] = []
    for _ in 0..<12 {
      #expect(restarts.isHopeless == (rests.count >= 3))
      restarts.add(at: now)
      rests.append(
        (restarts.restsUntil.millisecondsSince1970 - now.millisecondsSince1970) / 1_000)
    }
    #expect(rests == [5, 10, 20, 40, 80, 160, 320, 640, 1_280, 2_560, 3_600, 3_600])
  }
}
