import AppStoreModel
import LedgerStorage
import Testing

@testable import LedgerServer

struct ReconciliationPlanTests {
  private let now = Timestamp(millisecondsSince1970: 1_790_000_000_000)

  private func question(_ id: Int64, _ rank: QuestionRank) -> ChainQuestion {
    ChainQuestion(chainID: id, rank: rank, due: now)
  }

  private func state(_ ranks: [QuestionRank], rounds: Bool = true) -> ReconciliationState {
    var state = ReconciliationState()
    state.questions = ranks.enumerated().map { question(Int64($0.offset + 1), $0.element) }
    state.historyWalks = [.notifications]
    if rounds { (state.nextInRound, state.nextForRefunds) = (7, 8) }
    return state
  }

  private var budget: QuestionBudget {
    QuestionBudget(percent: 100, environment: .production)
  }

  @Test(arguments: [QuestionRank.doubt, .revocation])
  func `what an answer or money hangs on comes first`(rank: QuestionRank) {
    let step = ReconciliationPlan.next(state([rank, .youngPurchase]), budget, at: now)
    #expect(step == .ask(.question(question(1, rank))))
  }

  @Test func `then Apple's history, then what may be refunded, then the rounds`() {
    var state = self.state([.youngPurchase, .familyMember])
    #expect(ReconciliationPlan.next(state, budget, at: now) == .ask(.historyPage(.notifications)))
    state.historyWalks = []
    #expect(
      ReconciliationPlan.next(state, budget, at: now)
        == .ask(.question(question(1, .youngPurchase))))
    state.questions = []
    #expect(ReconciliationPlan.next(state, budget, at: now) == .ask(.refunds(chainID: 8)))
    state.nextForRefunds = nil
    #expect(ReconciliationPlan.next(state, budget, at: now) == .ask(.round(chainID: 7)))
    state.nextInRound = nil
    #expect(ReconciliationPlan.next(state, budget, at: now) == .idle)
    state.nextDue = now.adding(.minutes(3))
    #expect(
      ReconciliationPlan.next(state, budget, at: now) == .wait(until: now.adding(.minutes(3))))
  }

  @Test func `what its own limit holds back lets others pass`() {
    var budget = self.budget
    budget.spend(10 * 120, on: .refundHistory, at: now)
    var state = self.state([])
    state.historyWalks = []
    #expect(ReconciliationPlan.next(state, budget, at: now) == .ask(.round(chainID: 7)))
    state.nextInRound = nil
    #expect(
      ReconciliationPlan.next(state, budget, at: now) == .wait(until: now.adding(.seconds(60))))
  }

  @Test func `a pause that Apple asks for holds everything back`() {
    var budget = self.budget
    budget.pause(until: now.adding(.seconds(9)))
    let step = ReconciliationPlan.next(state([.doubt]), budget, at: now)
    #expect(step == .wait(until: now.adding(.seconds(9))))
  }
}

struct QuestionBudgetTests {
  private let now = Timestamp(millisecondsSince1970: 1_790_000_000_000)

  @Test(
    arguments: [
      (AppStoreEnvironment.production, QuestionEndpoint.transactionInfo, 100, 20),
      (.production, .refundHistory, 100, 100), (.sandbox, .transactionInfo, 100, 200),
      (.sandbox, .refundHistory, 50, 2_000), (.production, .statuses, 50, 40),
      (.sandbox, .refundHistory, 1, 100_000),
    ] as [(AppStoreEnvironment, QuestionEndpoint, Int64, Int64)])
  func `a call takes its share of the limit`(
    environment: AppStoreEnvironment, endpoint: QuestionEndpoint, percent: Int64,
    milliseconds: Int64
  ) {
    let budget = QuestionBudget(percent: percent, environment: environment)
    #expect(budget.time(for: 1, on: endpoint).milliseconds == milliseconds)
  }

  @Test func `a minute's worth may be asked at once, and then at the pace of the limit`() {
    var budget = QuestionBudget(percent: 100, environment: .production)
    budget.spend(3_000, on: .statuses, at: now)
    #expect(budget.ready(.statuses) <= now)
    budget.spend(50, on: .statuses, at: now)
    #expect(budget.ready(.statuses) == now.adding(.seconds(1)))
    #expect(budget.ready(.transactionInfo) <= now)
  }
}

struct RoundCursorTests {
  @Test func `only what lies before everything under way is done`() {
    var cursor = RoundCursor(place: 3)
    cursor.read([4, 6, 9])
    for id in [4, 6, 9] as [Int64] { cursor.begin(id) }
    #expect(cursor.next == nil)
    #expect(cursor.readingPlace == 9)
    cursor.finish(6)
    #expect(cursor.place == 3)
    #expect(cursor.place(after: 4) == 8)
    cursor.finish(4)
    #expect(cursor.place == 8)
    cursor.giveBack(9)
    #expect(cursor.next == 9)
    #expect(!cursor.isResting)
    cursor.begin(9)
    cursor.finish(9)
    #expect(cursor.place == 9)
    #expect(cursor.isResting)
  }
}
