import AppStoreModel
import EntitlementLedger
import LedgerStorage
import Testing

struct ChainConcernTests {
  private let now = Signed.at(10)

  private func chain(_ payloads: JWSTransactionDecodedPayload...) throws -> Chain {
    var chain = Chain(key: Signed.key("1"))
    for payload in payloads {
      _ = chain.join(try LedgerFact.from(Signed.proved(payload), channel: .poll))
    }
    return chain
  }

  @Test func `doubt is asked about at once, a revocation when Apple's lag is over`() throws {
    let clean = try chain(Signed.transaction("1"))
    let revoked = try chain(Signed.transaction("1", signed: 5, revoked: 4))
    let cases: [(Chain, Chain, Bool, ChainConcern?)] = [
      (clean, clean, true, ChainConcern(rank: .doubt, due: now)),
      (clean, revoked, true, ChainConcern(rank: .doubt, due: now)),
      (clean, revoked, false, ChainConcern(rank: .revocation, due: Signed.at(25))),
      (clean, clean, false, nil),
    ]
    for (before, after, isDoubtful, concern) in cases {
      #expect(ChainConcern(from: before, to: after, isDoubtful: isDoubtful, at: now) == concern)
    }
  }

  @Test func `a one-time purchase is young for ninety days`() throws {
    let bought = try chain(Signed.transaction("1", type: .consumable))
    let empty = Chain(key: Signed.key("1"))
    #expect(
      ChainConcern(from: empty, to: bought, isDoubtful: false, at: now)
        == ChainConcern(rank: .youngPurchase, due: Signed.at(10 + 1_440)))
    #expect(
      ChainConcern(answered: bought, isDoubtful: false, tries: 1, at: Signed.at(89 * 1_440))?.rank
        == .youngPurchase)
    #expect(
      ChainConcern(answered: bought, isDoubtful: false, tries: 1, at: Signed.at(90 * 1_440)) == nil)
  }

  @Test(arguments: [(Int64(1), Int64(15)), (2, 30), (3, 60), (7, 960), (8, 1_440), (40, 1_440)])
  func `what stays doubtful is asked about again after fifteen minutes, then less often`(
    tries: Int64, minutes: Int64
  ) throws {
    let chain = try chain(Signed.transaction("1"))
    let concern = ChainConcern(answered: chain, isDoubtful: true, tries: tries, at: now)
    #expect(concern == ChainConcern(rank: .doubt, due: Signed.at(10 + minutes)))
  }

  @Test func `doubt asks about everything, the round only about what can change`() throws {
    let old = Signed.transaction("1", signed: 1, days: 30)
    let next = Signed.transaction("2", original: "1", signed: 100, bought: 200 * 1_440)
    let chain = try chain(old, next)
    let later = Signed.at(210 * 1_440)
    #expect(ChainQuestions(chain, rank: .doubt, at: later).transactionIds == ["2", "1"])
    #expect(ChainQuestions(chain, rank: .rest, at: later).transactionIds == ["2"])
    #expect(ChainQuestions(chain, rank: .rest, at: later).asksStatuses)
    #expect(
      ChainQuestions(chain, rank: .rest, since: Signed.at(50), at: later).transactionIds == [])
    #expect(ChainQuestions(chain, rank: .doubt, at: later).calls == 3)
  }
}

struct GapReasonTests {
  private func reason(
    _ results: [String?], signed: Int64? = 100, quarantined: Bool = false
  ) -> GapReason {
    GapReason(
      attempts: results.enumerated().map {
        SendingAttempt(date: Signed.at(100 + Int64($0.offset)), result: $0.element)
      },
      signedDate: signed.map { Signed.at($0) }, isQuarantined: quarantined,
      installedAt: Signed.at(50))
  }

  @Test(arguments: [
    (["TIMED_OUT", "NO_RESPONSE"], GapReason.outage), (["TLS_ISSUE"], .outage),
    (["NO_RESPONSE", "UNSUCCESSFUL_HTTP_RESPONSE_CODE"], .refused),
    (["INVALID_RESPONSE"], .refused), (["SUCCESS"], .neverReached), ([], .neverReached),
    (["NO_RESPONSE", "SUCCESS"], .neverReached), (["SOMETHING_NEW"], .outage),
  ])
  func `the last attempt says why`(results: [String], expected: GapReason) {
    #expect(reason(results) == expected)
  }

  @Test func `quarantine explains first, and what was before the ledger is told apart`() {
    #expect(reason(["SUCCESS"], quarantined: true) == .quarantined)
    #expect(reason([], signed: 40) == .beforeInstallation)
    #expect(reason([], signed: nil) == .neverReached)
  }
}

struct WalkTests {
  private func walk(_ kind: Walk.Kind, _ environment: AppStoreEnvironment = .production) -> Walk {
    Walk(
      scope: Scope(realm: .apple, bundleId: "a", environment: environment), kind: kind)
  }

  private let now = Signed.at(0).adding(.days(400))

  @Test(arguments: [(AppStoreEnvironment.production, Int64(180)), (.sandbox, 30)])
  func `the first walk goes back as far as Apple remembers, the next from where it ended`(
    environment: AppStoreEnvironment, days: Int64
  ) {
    var walk = walk(.notifications, environment)
    walk.begin(at: now)
    #expect(walk.underway?.from == now.subtracting(.days(days)).adding(.hours(1)))
    #expect(walk.underway?.until == now)
    walk.finish(at: now.adding(.minutes(5)))
    #expect(walk.coveredUntil == now)
    let later = now.adding(.hours(6))
    walk.begin(at: later)
    #expect(walk.underway?.from == now.subtracting(.hours(1)))
    walk.finish(at: later)
    #expect(walk.coveredFrom == now.subtracting(.days(days)).adding(.hours(1)))
    #expect(walk.coveredUntil == later)
  }

  @Test func `a walk begun anew keeps its window, and no more than Apple remembers`() {
    var walk = walk(.notifications)
    walk.begin(at: now)
    walk.underway?.page = "p"
    walk.restart(at: now.adding(.days(1)))
    #expect(walk.underway?.page == nil)
    #expect(walk.underway?.until == now)
    #expect(walk.underway?.from == now.subtracting(.days(177)))
  }

  @Test(arguments: [Int64(1), 90, 400])
  func `a walk that is too slow for its window ends in one of the next`(minutesAPage: Int64) {
    let pages = 20
    var walk = walk(.notifications)
    var time = now
    walk.begin(at: time)
    var place = 0
    var asked = 0
    while place < pages, asked < 200 {
      time = time.adding(.minutes(minutesAPage))
      asked += 1
      let isAllowed = walk.underway?.from.map { $0 >= time.subtracting(.days(180)) } ?? false
      place = isAllowed ? place + 1 : 0
      if !isAllowed { walk.restart(at: time) }
    }
    #expect(place == pages)
    // Beside the last walk no more than the slow ones before, each half as long as the next.
    #expect(asked <= 3 * pages)
  }

  @Test func `a pause longer than Apple remembers leaves a hole, and says so`() {
    var walk = walk(.notifications)
    walk.coveredFrom = now.subtracting(.days(400))
    walk.coveredUntil = now.subtracting(.days(300))
    walk.begin(at: now)
    walk.finish(at: now)
    #expect(walk.coveredFrom == now.subtracting(.days(180)).adding(.hours(1)))
  }
}
