import Foundation
import Testing

struct DeviceLifeTests {
  /// How many lives a run has: `CLAWBACK_DEVICES` for more.
  private static let count =
    ProcessInfo.processInfo.environment["CLAWBACK_DEVICES"].flatMap { UInt64($0) } ?? 2_000

  /// Replays one: `CLAWBACK_SEED`.
  private static let seed =
    ProcessInfo.processInfo.environment["CLAWBACK_SEED"].flatMap { UInt64($0) }

  @Test func `no life of a device has a wrong grant or a wrong lock`() async {
    let seeds = Self.seed.map { $0...$0 } ?? 1...Self.count
    let faults = await withTaskGroup(of: [String].self) { group in
      for lane in 0..<UInt64(2) {
        group.addTask {
          var faults: [String] = []
          for seed in seeds where seed % 2 == lane {
            var life = DeviceLife(seed: seed)
            if let fault = life.run(steps: 14) { faults.append("CLAWBACK_SEED=\(seed): \(fault)") }
            await Task.yield()  // Other tests wait for the same threads.
          }
          return faults
        }
      }
      return await group.reduce(into: []) { $0 += $1 }
    }
    #expect(faults.count == 0, "\(faults.first ?? "")")
  }
}
