import AppStoreModel
import Testing

@testable import LedgerServer

struct PassWorkTests {
  @Test func `what is done is left no more, and never less than nothing`() {
    var work = PassWork(questions: 1, rest: 2, refunds: 3)
    #expect(work.steps == 6)
    work.finishQuestion()
    work.finishRest()
    work.finishRefunds(histories: 1)
    #expect(work.steps == 3)
    for _ in 0..<9 {
      work.finishQuestion()
      work.finishRest()
      work.finishRefunds(histories: 0)
    }
    #expect(work.steps == 0)
  }

  @Test func `what becomes known meanwhile is to do too, at the pace that was seen`() {
    var work = PassWork()
    work.finishRefunds(histories: 1)
    work.finishRefunds(histories: 0)
    work.recount(questions: 1, rest: 20, refunds: 30)
    #expect(work.steps == 51)
    #expect(work.histories == 15)
  }

  /// Purchases whose customer had to be asked about, of so many that were passed, and what 100 more need.
  @Test(arguments: [(0, 0, 100), (1, 1, 100), (1, 4, 25), (3, 4, 75), (0, 5, 0), (1, 3, 34)])
  func `histories are expected as they came so far`(read: Int, passed: Int, expected: Int64) {
    var work = PassWork(refunds: 100 + Int64(passed))
    for place in 0..<passed { work.finishRefunds(histories: place < read ? 1 : 0) }
    #expect(work.histories == expected)
  }

  @Test func `the longer of the two rounds decides how long it takes`() {
    let budget = QuestionBudget(percent: 100, environment: .production)
    #expect(PassWork(questions: 50, rest: 450).time(in: budget) == .seconds(10))
    #expect(PassWork(rest: 450, refunds: 450).time(in: budget) == .seconds(45))
    #expect(PassWork().time(in: budget) == .zero)
  }
}
