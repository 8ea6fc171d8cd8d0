import EntitlementKit
import EntitlementKitTesting
import Foundation
import Testing

/// The object as an app makes it: with StoreKit, the device's own clock and HTTP behind it.
struct FirstGateTests {
  @Test func `three lines make a gate that a refund closes and its reversal opens`() async {
    await Stage(route: .storeKit).run { stage in
      stage.device.buyNonConsumable("pro.lifetime")
      let pro = EntitlementRule("pro", products: ["pro.lifetime"], whenUnknown: .failClosed)
      let entitlements = Entitlements([pro], cache: MemoryCache())
      #expect(await entitlements.becomes { $0.allows("pro") })
      let id = entitlements["pro"].transactionID ?? ""
      stage.device.advance(seconds: 1)
      stage.device.refund(id)
      #expect(await entitlements.becomes { !$0.allows("pro") })
      stage.device.advance(seconds: 1)
      stage.device.reverseRefund(id)
      #expect(await entitlements.becomes { $0.allows("pro") })
    }
  }

  @Test func `a server that is not there keeps reports waiting, and is no problem to tell`()
    async throws
  {
    let address = try #require(URL(string: "http://127.0.0.1:1"))
    await Stage(route: .storeKit).run { stage in
      let reports = MemoryCache()
      let id = stage.device.buyNonConsumable("pro.lifetime")
      let entitlements = Entitlements(
        [Stage.pro], cache: MemoryCache(),
        reportingTo: ReportingServer(address: address, publishableKey: "key"), reports: reports)
      #expect(await entitlements.becomes { $0.allows("pro") })
      #expect(await entitlements.becomes { _ in ReportQueue(reports.read() ?? []).count == 1 })
      #expect(
        ReportQueue(reports.read() ?? []).nextBatch
          == entitlements.signedTransaction(id).map { [.transaction($0)] })
      #expect(entitlements.reportingProblem == nil)
    }
  }

  @Test(arguments: [
    (CacheProblem.unreadable("E 1"), true), (.corrupted, false), (.otherFormat(9), false),
    (.foreign, false), (.unwritable("E 28"), true),
  ])
  func `each problem of the cache says whether it passes, and what to do`(
    problem: CacheProblem, isTransient: Bool
  ) {
    #expect(problem.isTransient == isTransient)
    #expect("\(problem)".hasPrefix("the cache "))
    #expect(problem.advice.hasSuffix("."))
    #expect(problem.advice.hasPrefix("Nothing") != isTransient)
  }

  @Test(arguments: [
    (StoreFailure.offline, true, "online"), (.notSignedIn, true, "sign in"),
    (.cancelled, false, "Nothing"), (.other("unknown"), true, "log"),
  ])
  func `each failure of the store says whether it passes, and what to do`(
    failure: StoreFailure, isTransient: Bool, word: String
  ) {
    #expect(failure.isTransient == isTransient)
    #expect(failure.advice.contains(word))
    #expect(!"\(failure)".isEmpty)
  }
}
