import Testing

@testable import AppStoreServerAPI

struct PageTests {
  @Test func `a page leads to the next, and the last one to none`() throws {
    #expect(try TransactionPage([], revision: "2", hasMore: true).next(after: "1") == "2")
    #expect(try TransactionPage([], revision: "1", hasMore: true).next(after: nil) == "1")
    #expect(try TransactionPage([], revision: "2", hasMore: false).next(after: "1") == nil)
    #expect(try NotificationPage([], paginationToken: nil, hasMore: false).next(after: "1") == nil)
  }

  @Test(arguments: [nil, "", "1"])
  func `a walk that would stand still or break off says so`(mark: String?) {
    #expect(throws: AppStoreServerError.pagingStalled) {
      try TransactionPage([], revision: mark, hasMore: true).next(after: "1")
    }
  }
}
