import AppStoreModel
import EntitlementLedger
import Testing

/// When a case is to be answered, and when it is over.
struct RefundCaseTests {
  private static func at(_ hours: Int64) -> Timestamp {
    Timestamp(millisecondsSince1970: 1_790_000_000_000).adding(.hours(hours))
  }

  private static func request(
    _ uuid: String, _ hours: Int64, _ progress: ConsumptionRequest.Progress = .waiting
  ) -> ConsumptionRequest {
    ConsumptionRequest(
      notificationUUID: uuid,
      question: ConsumptionQuestion(reason: .other, isAdvancedCommerce: false), askedAt: at(hours),
      receivedAt: at(hours), progress: progress)
  }

  private static func refundCase(
    _ requests: [ConsumptionRequest], _ verdicts: [RefundVerdict] = [],
    in environment: AppStoreEnvironment = .production
  ) -> RefundCase {
    RefundCase(
      scope: Scope(realm: .apple, bundleId: "com.example.app", environment: environment),
      transactionId: "1", requests: requests, verdicts: verdicts)
  }

  @Test(
    arguments: [
      (.production, .hours(12)), (.sandbox, .minutes(5)), (.unknown("Elsewhere"), .minutes(5)),
    ] as [(AppStoreEnvironment, TimeSpan)])
  func `the deadline follows the environment`(environment: AppStoreEnvironment, window: TimeSpan) {
    let one = Self.refundCase([Self.request("a", 0)], in: environment)
    #expect(one.deadline == Self.at(0).adding(window))
  }

  @Test func `three requests eight hours apart have the newest one's deadline, in any order`() {
    let requests = [Self.request("c", 16), Self.request("a", 0), Self.request("b", 8)]
    let one = Self.refundCase(requests)
    #expect(one.newest?.notificationUUID == "c")
    #expect(one.deadline == Self.at(28))
    #expect(one.standing(at: Self.at(27)) == .waiting)
    #expect(one.settled(one.requests[0], at: Self.at(17)) == .moot)
    #expect(one.settled(one.requests[2], at: Self.at(17)) == nil)
  }

  @Test(
    arguments: [
      (.waiting, 11, .waiting),
      (.waiting, 12, .missed),
      (.missed, 13, .missed),
      (.answered, 13, .answered),
      (.refused, 1, .refused),
      (.withheld(.noConsent), 1, .withheld(.noConsent)),
      (.withheld(.policy), 13, .withheld(.policy)),
    ] as [(ConsumptionRequest.Progress, Int64, RefundCase.Standing)])
  func `a case without a verdict stands as its newest request does`(
    progress: ConsumptionRequest.Progress, hours: Int64, expected: RefundCase.Standing
  ) {
    let one = Self.refundCase([Self.request("a", 0, progress)])
    #expect(one.standing(at: Self.at(hours)) == expected)
  }

  @Test(
    arguments: [
      (.refunded, "refunded"), (.declined, "declined"), (.reversed, "reversed"),
    ] as [(RefundVerdict.Kind, String)])
  func `a verdict closes the case and makes an answer needless`(
    kind: RefundVerdict.Kind, word: String
  ) {
    let one = Self.refundCase(
      [Self.request("a", 0)], [RefundVerdict(kind, source: "v", at: Self.at(2))])
    #expect(one.standing(at: Self.at(3)) == .closed(kind))
    #expect(one.standing(at: Self.at(3)).word == "closed")
    #expect(one.settled(one.requests[0], at: Self.at(3)) == .moot)
    #expect(kind.rawValue == word)
  }

  @Test func `a request after a verdict opens the case again`() {
    let declined = RefundVerdict(.declined, source: "v", at: Self.at(2))
    let one = Self.refundCase([Self.request("a", 0, .answered), Self.request("b", 3)], [declined])
    #expect(one.verdict == nil)
    #expect(one.standing(at: Self.at(4)) == .waiting)
    #expect(one.settled(one.requests[0], at: Self.at(4)) == nil)
  }

  @Test func `the last verdict is in force`() {
    let one = Self.refundCase(
      [Self.request("a", 0)],
      [
        RefundVerdict(.reversed, source: "r", at: Self.at(9)),
        RefundVerdict(shownAt: Self.at(2)),
      ])
    #expect(one.standing(at: Self.at(9)) == .closed(.reversed))
  }

  @Test func `what is withheld is not missed, what is waiting is`() {
    let withheld = Self.refundCase([Self.request("a", 0, .withheld(.noConsent))])
    #expect(withheld.settled(withheld.requests[0], at: Self.at(12)) == nil)
    let waiting = Self.refundCase([Self.request("a", 0)])
    #expect(waiting.settled(waiting.requests[0], at: Self.at(12)) == .missed)
  }

  @Test func `a case of nothing is over`() {
    let empty = Self.refundCase([])
    #expect(empty.deadline == nil)
    #expect(empty.isOver(at: Self.at(0)))
    #expect(empty.standing(at: Self.at(0)) == .missed)
  }
}
