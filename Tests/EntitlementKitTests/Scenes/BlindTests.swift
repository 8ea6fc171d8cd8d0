import EntitlementKit
import EntitlementKitTesting
import Foundation
import Testing

/// A device that never gets to know of a renewal, and what arrives late, twice or again.
struct BlindTests {
  @Test(arguments: Route.allCases)
  func `the server's word carries a customer whose device misses the renewal`(
    route: Route
  ) async {
    let asked = Asked()
    var stage = Stage(route: route)
    stage.secondOpinion = { question in await asked.answer(question) }
    await stage.run { stage in
      let id = stage.device.subscribe(to: "pro.monthly")
      let kit = await stage.launch()
      #expect(kit.word == "entitled")
      #expect(await asked.questions.isEmpty)
      stage.device.renewUnseen(id)
      stage.device.advance(days: 31)
      await kit.refresh()
      #expect(await kit.becomes { $0.allows("pro") })
      #expect(kit.pro.source == .server)
      #expect(await asked.questions.first?.transactionID == id)
      let count = await asked.questions.count
      await kit.refresh()
      #expect(await asked.questions.count == count)
      stage.device.advance(seconds: 1)
      stage.device.refund(id)
      #expect(await kit.becomes { !$0.allows("pro") })
    }
  }

  @Test(arguments: Route.allCases)
  func `the server is not asked about who never bought, nor about what was turned off`(
    route: Route
  ) async {
    let asked = Asked()
    var stage = Stage(route: route)
    stage.secondOpinion = { question in await asked.answer(question) }
    await stage.run { stage in
      let kit = await stage.launch()
      #expect(kit.word == "neverBought")
      let id = stage.device.subscribe(to: "pro.monthly")
      stage.device.setAutoRenew(id, false)
      await kit.refresh()
      stage.device.advance(days: 31)
      await kit.refresh()
      #expect(kit.word == "expired")
      #expect(await asked.questions.isEmpty)
    }
  }

  @Test(arguments: Route.allCases)
  func `a renewal that is announced twice is taken in once`(route: Route) async {
    await Stage(route: route).run { stage in
      stage.device.mutate { $0.switches.announcesTwice = true }
      let id = stage.device.subscribe(to: "pro.monthly")
      let kit = await stage.launch()
      stage.device.advance(days: 29)
      let next = stage.device.renew(id)
      #expect(await kit.becomes { next.flatMap($0.signedTransaction) != nil })
      stage.device.advance(days: 10)
      await kit.refresh()
      #expect(kit.word == "entitled")
    }
  }

  @Test(arguments: Route.allCases, [true, false])
  func `renewals missed while closed count in any order`(route: Route, newestFirst: Bool) async {
    await Stage(route: route).run { stage in
      stage.device.mutate { $0.switches.listsNewestFirst = newestFirst }
      let id = stage.device.subscribe(to: "pro.monthly")
      stage.device.whileClosed { device in
        for _ in 0..<4 {
          device.advance(days: 30)
          _ = device.renew(id)
        }
      }
      let kit = await stage.launch()
      #expect(kit.word == "entitled")
      #expect(stage.device.count.finished.count >= 5)
    }
  }

  @Test(arguments: Route.allCases)
  func `what comes back into the unfinished ones is finished again and changes nothing`(
    route: Route
  ) async {
    await Stage(route: route).run { stage in
      let id = stage.device.subscribe(to: "pro.monthly")
      let kit = await stage.launch()
      #expect(await kit.becomes { _ in stage.device.count.finished.contains(id) })
      let before = stage.device.count.finished.count
      stage.device.mutate { $0.change(id) { $0.isFinished = false } }
      await kit.refresh()
      #expect(await kit.becomes { _ in stage.device.count.finished.count > before })
      #expect(kit.word == "entitled")
    }
  }
}

/// The developer's server: always says that it runs for another month.
private actor Asked {
  private(set) var questions: [SecondOpinionQuestion] = []

  func answer(_ question: SecondOpinionQuestion) -> SecondOpinionAnswer {
    questions.append(question)
    return .entitled(until: .distantFuture)
  }
}
