import EntitlementKit
import EntitlementKitTesting
import Foundation
import Testing

/// What the articles state in figures, and nothing else shows.
struct StatedTests {
  @Test(arguments: Route.allCases)
  func `an awaited renewal keeps access for five minutes, marked provisional`(
    route: Route
  ) async {
    await Stage(route: route).run { stage in
      stage.device.subscribe(to: "pro.monthly", days: 30)
      let kit = await stage.launch()
      #expect(kit.word == "entitled")
      #expect(!kit.pro.isProvisional)
      // Nothing is listed and no state is told, so that the listing says nothing of the end either.
      stage.device.listNothing()
      stage.device.failStatuses()
      stage.device.advance(days: 30)
      #expect(kit.allows("pro"))
      #expect(kit.pro.isProvisional)
      stage.device.advance(seconds: 299)
      #expect(kit.allows("pro"))
      stage.device.advance(seconds: 1)
      #expect(!kit.allows("pro"))
    }
  }

  @Test(arguments: Route.allCases)
  func `without a delivery consumables stay unfinished, and a later version delivers them`(
    route: Route
  ) async {
    let books = Ledger()
    var stage = Stage(route: route)
    await stage.run { stage in
      let id = stage.device.buyConsumable("coins")
      for _ in 0..<2 {
        let kit = await stage.launch()
        await kit.refresh()
        #expect(!stage.device.count.finished.contains(id))
      }
    }
    stage.deliver = { await books.take($0.transactionID) }
    await stage.run { stage in
      let kit = await stage.launch()
      #expect(await kit.becomes { _ in !stage.device.count.finished.isEmpty })
      #expect(await books.taken.count == 1)
      // Two looks may finish one transaction, which StoreKit allows.
      #expect(await Set(books.taken) == Set(stage.device.count.finished))
    }
  }

  @Test(arguments: Route.allCases)
  func `the server is asked once an hour, and its yes counts for a day`(route: Route) async {
    let server = Ledger()
    var stage = Stage(route: route)
    stage.secondOpinion = { question in
      let isFirst = await server.taken.isEmpty
      _ = await server.take(question.transactionID)
      return isFirst ? .entitled(until: .distantFuture) : .noAnswer
    }
    await stage.run { stage in
      let id = stage.device.subscribe(to: "pro.monthly", days: 30)
      let kit = await stage.launch()
      stage.device.renewUnseen(id)
      stage.device.advance(days: 31)
      await kit.refresh()
      #expect(kit.pro.source == .server)
      let asked = stage.device.now
      stage.device.advance(hours: 23)
      await kit.refresh()
      #expect(kit.pro.source == .server)
      #expect(await server.taken.count == 1)
      stage.device.advance(hours: 1)
      #expect(!kit.allows("pro"))
      #expect(stage.device.now.timeIntervalSince(asked) == 86_400)
      // The day is over, and the server has no answer any more: it is asked once an hour.
      await kit.refresh()
      await kit.refresh()
      let count = await server.taken.count
      #expect(count == 2)
      stage.device.advance(seconds: 3_599)
      await kit.refresh()
      #expect(await server.taken.count == count)
      stage.device.advance(seconds: 1)
      await kit.refresh()
      #expect(await server.taken.count == count + 1)
      #expect(!kit.allows("pro"))
    }
  }

  @Test(arguments: Route.allCases)
  func `a clock that ran ahead and was put right is freed by a newer signature`(
    route: Route
  ) async {
    await Stage(route: route).run { stage in
      let id = stage.device.subscribe(to: "pro.monthly", days: 30)
      let kit = await stage.launch()
      #expect(kit.word == "entitled")
      stage.device.setClock(toDaysFromNow: 60)
      await kit.refresh()
      #expect(!kit.allows("pro"))
      stage.device.setClock(toDaysFromNow: -60)
      await kit.refresh()
      #expect(!kit.allows("pro"))
      stage.device.advance(days: 1)
      // Anything that the App Store signs anew will do.
      stage.device.mutate { $0.change(id) { _ in } }
      stage.device.announceAgain(id)
      #expect(await kit.becomes("entitled"))
    }
  }

  @Test func `answers are given to many threads while they change`() async {
    let device = SimulatedDevice()
    let kit = Entitlements([Stage.pro], on: device)
    let id = device.buyNonConsumable("pro.lifetime")
    #expect(await kit.becomes("entitled"))
    await withTaskGroup(of: Int.self) { group in
      for _ in 0..<4 {
        group.addTask {
          (0..<2_000).count { _ in
            let answer = kit.pro
            return answer.isAllowed == (Entitlements.word(answer.answer) == "entitled")
          }
        }
      }
      for _ in 0..<10 {
        device.advance(seconds: 1)
        device.refund(id)
        #expect(await kit.becomes("refunded"))
        device.advance(seconds: 1)
        device.reverseRefund(id)
        #expect(await kit.becomes("entitled"))
      }
      for await count in group { #expect(count == 2_000) }
    }
  }
}

/// What came, in order.
private actor Ledger {
  private(set) var taken: [String] = []

  func take(_ id: String) -> Bool {
    taken.append(id)
    return true
  }
}
