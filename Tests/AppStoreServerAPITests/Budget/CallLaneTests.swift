import AppStoreModel
import Testing

@testable import AppStoreServerAPI

struct CallLaneTests {
  private static let start = TurningClock.start
  private static let late = start.adding(.hours(2))

  private static func lane(
    perHour: Int64 = 3_600, mostRunning: Int = 1, mostWaiting: Int = 100
  ) -> CallLane {
    CallLane(
      HourlyLimit(callsPerHour: perHour), now: start, mostRunning: mostRunning,
      mostWaiting: mostWaiting)
  }

  @Test func `urgent calls go before all others, and the first of equals goes first`() throws {
    var lane = Self.lane()
    for (ticket, urgency) in [
      (1, Urgency.background), (2, .normal), (3, .urgent), (4, .normal), (5, .urgent),
    ] { try lane.join(UInt64(ticket), urgency, deadline: Self.late) }
    var order: [UInt64] = []
    while true {
      let step = lane.advance(Self.start)
      if step.admitted.isEmpty { break }
      order += step.admitted
      lane.finish()
    }
    #expect(order == [3, 5, 2, 4, 1])
  }

  @Test func `no more run at once than may`() throws {
    var lane = Self.lane(mostRunning: 2)
    for ticket in 1...3 { try lane.join(UInt64(ticket), .normal, deadline: Self.late) }
    let step = lane.advance(Self.start)
    #expect(step.admitted == [1, 2])
    #expect(step.wake == Self.late)
    #expect(lane.advance(Self.start).admitted == [])
    lane.finish()
    #expect(lane.advance(Self.start).admitted == [3])
  }

  @Test func `an empty store says when to look again`() throws {
    var lane = Self.lane(perHour: 100, mostRunning: 9)
    for ticket in 1...2 { try lane.join(UInt64(ticket), .normal, deadline: Self.late) }
    let step = lane.advance(Self.start)
    #expect(step.admitted == [1])
    #expect(step.wake == Self.start.adding(.seconds(40)))  // ninety an hour
    #expect(lane.advance(Self.start.adding(.seconds(39))).admitted == [])
    #expect(lane.advance(Self.start.adding(.seconds(40))).admitted == [2])
  }

  @Test func `a pause stops everyone and the later of two counts`() throws {
    var lane = Self.lane()
    lane.pause(until: Self.start.adding(.seconds(30)))
    lane.pause(until: Self.start.adding(.seconds(10)))
    try lane.join(1, .urgent, deadline: Self.late)
    let step = lane.advance(Self.start)
    #expect(step.admitted == [] && step.wake == Self.start.adding(.seconds(30)))
    #expect(lane.load(Self.start).pausedUntil == Self.start.adding(.seconds(30)))
    #expect(lane.advance(Self.start.adding(.seconds(30))).admitted == [1])
    #expect(lane.load(Self.start.adding(.seconds(30))).pausedUntil == nil)
  }

  @Test func `whoever cannot have a turn in time is told at once, and why`() throws {
    var lane = Self.lane(perHour: 100)
    let patience = Self.start.adding(.seconds(5))
    let pause = Self.start.adding(.seconds(30))
    lane.pause(until: pause)
    try lane.join(1, .urgent, deadline: patience)
    try lane.join(2, .urgent, deadline: Self.late)
    let step = lane.advance(Self.start)
    #expect(step.expired.map(\.ticket) == [1])
    #expect(step.expired.first?.error == .rateLimited(until: pause))
    #expect(lane.advance(pause).admitted == [2])
    lane.finish()
    try lane.join(3, .urgent, deadline: pause.adding(.seconds(9)))
    let spent = lane.advance(pause)
    #expect(spent.expired.first?.error == .budgetSpent(until: pause.adding(.seconds(40))))
    #expect(lane.load(pause).waiting == 0)
  }

  @Test func `background leaves a fifth of the store`() throws {
    var lane = Self.lane(mostRunning: 100)
    for ticket in 1...40 { try lane.join(UInt64(ticket), .background, deadline: Self.late) }
    #expect(lane.advance(Self.start).admitted.count == 29)
    try lane.join(99, .urgent, deadline: Self.late)
    #expect(lane.advance(Self.start).admitted == [99])
  }

  @Test func `a full queue refuses, and who leaves makes room`() throws {
    var lane = Self.lane(mostRunning: 0, mostWaiting: 2)
    try lane.join(1, .normal, deadline: Self.late)
    try lane.join(2, .urgent, deadline: Self.late)
    #expect(throws: AppStoreServerError.queueFull) {
      try lane.join(3, .urgent, deadline: Self.late)
    }
    lane.leave(1)
    try lane.join(3, .urgent, deadline: Self.late)
    #expect(lane.load(Self.start).waiting == 2)
  }
}
