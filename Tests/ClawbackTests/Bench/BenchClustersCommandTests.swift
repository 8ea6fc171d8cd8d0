import AppStoreModel
import ContractSupport
import LedgerReports
import Testing

@testable import clawback

struct BenchClustersCommandTests {
  @Test func `planted faults of twenty refunds are told once each, and nothing else is`() {
    var trial = ClusterTrial(purchasesADay: 60, unrestPercent: 0, seed: 3)
    trial.run(days: 150)
    let score = trial.score
    let great = score.sizes.last
    #expect(great?.planted == 0 || great?.found == great?.planted)
    #expect(score.sizes.reduce(0) { $0 + $1.found } >= 2)
    #expect(score.falseAlarms == 0)
    #expect(score.toldAgain == 0)
  }

  @Test func `without faults there is no alarm`() {
    var trial = ClusterTrial(purchasesADay: 60, unrestPercent: 20, seed: 4)
    trial.run(days: 60, isPlanted: false)
    #expect(trial.score.alarms == 0)
    #expect(trial.score.refundsForFaults > 0)
  }

  @Test func `the same seed gives the same years`() {
    let worlds = (0..<2).map { _ in
      var world = FaultWorld(purchasesADay: 50, unrestPercent: 10, seed: 9)
      world.plant(size: 6)
      for _ in 0..<30 { world.pass() }
      return (world.counts, world.refunds.map(\.refund))
    }
    #expect(worlds[0].0 == worlds[1].0)
    #expect(worlds[0].1 == worlds[1].1)
  }

  @Test func `a planted fault gives as many refunds as it was told to, within its group`() {
    var world = FaultWorld(purchasesADay: 50, unrestPercent: 0, seed: 2)
    for _ in 0..<40 { world.pass() }
    for size in [6, 9] { world.plant(size: size) }
    for _ in 0..<6 { world.pass() }
    for (number, fault) in world.faults.enumerated() {
      let own = world.refunds.filter { $0.fault == number }
      #expect(own.count == fault.size)
      #expect(own.allSatisfy { fault.group.contains($0.refund.cell) })
      #expect(
        own.allSatisfy {
          fault.firstDay <= $0.refund.refundedOn && $0.refund.refundedOn <= fault.lastDay
        })
    }
  }

  @Test func `the score is printed for people and for programs`() throws {
    let console = CapturedConsole()
    let words = ["bench", "clusters", "--days", "12", "--purchases", "20", "--seed", "5"]
    let dispatcher = Dispatcher(commands: CommandList.all)
    #expect(dispatcher.run(words + ["--json"], on: console.console()) == .success)
    #expect(try JSONSchema("bench-clusters").findings(in: console.output) == [])
    let read = CapturedConsole()
    #expect(dispatcher.run(words, on: read.console()) == .success)
    #expect(read.output.contains("12 days of about 20 purchases"))
    #expect(read.output.contains("alarms, "))
  }
}
