import AppStoreModel
import LedgerStorage
import Testing

@testable import LedgerServer

/// What of the past is sent again.
struct ReplayTests {
  private func replay(
    _ what: DeliveryRepetition, _ trial: DeliveryTrial, _ endpoint: Destination, limit: Int = 4
  ) throws -> Bool? {
    let now = trial.now
    let isAny = try trial.write { (recorder) throws(StoreError) in
      try recorder.repeat(what, to: endpoint, limit: limit, now: now)
    }
    try trial.reload()
    return isAny
  }

  @Test func `one event is sent again by its id`() throws {
    let trial = try DeliveryTrial()
    let endpoint = try trial.endpoint("one")
    let positions = try ["a", "b", "a"].map { try trial.news($0) }
    try trial.turn()
    let bodies = trial.sent.map(\.dispatch.body)
    try trial.settle()
    #expect(try replay(.event(EventCursor(position: positions[0])), trial, endpoint) == true)
    try trial.turn()
    #expect(trial.sent.map(\.dispatch.body) == [bodies[0]])
    #expect(try trial.settle() == [positions[0]])
    #expect(try trial.settle() == [])
    #expect(try replay(.event(EventCursor(position: positions[2] + 1)), trial, endpoint) == false)
    #expect(try replay(.event(.start), trial, endpoint) == false)
    let known = try #require(try trial.reader.events(after: 0, limit: 1).first?.id)
    #expect(try replay(.event(EventCursor(known)), trial, endpoint) == true)
    #expect(try trial.settle() == [known.position])
    // What another ledger, or a backup that was put back, has at that place is another event.
    let foreign = try #require(EventCursor("evt_\(known.position)_0123456789abcdef"))
    #expect(try replay(.event(foreign), trial, endpoint) == false)
  }

  @Test func `what happened in a span of time is sent again, in order, beside what is new`()
    throws
  {
    let trial = try DeliveryTrial()
    let endpoint = try trial.endpoint("one")
    var positions: [Int64] = []
    for _ in 0..<10 {
      positions.append(try trial.news("ada"))
      trial.wait(.minutes(1))
    }
    try trial.settle()
    let start = trial.now.subtracting(.minutes(10))
    let isAny = try replay(
      .since(start.adding(.minutes(3)), until: start.adding(.minutes(6))), trial, endpoint)
    #expect(isAny == true)
    let new = try trial.news("ada")
    #expect(try trial.settle().sorted() == (positions[3..<6] + [new]).sorted())
    #expect(try replay(.since(start.adding(.minutes(8)), until: nil), trial, endpoint) == true)
    #expect(try trial.settle() == positions[8...] + [new])
    #expect(try replay(.since(trial.now.adding(.hours(1)), until: nil), trial, endpoint) == false)
    #expect(try replay(.since(start, until: nil), trial, endpoint) == true)
    #expect(try trial.settle() == positions + [new])
  }

  @Test func `a repetition survives a crash and goes on where it was`() throws {
    let trial = try DeliveryTrial()
    let endpoint = try trial.endpoint("one")
    let positions = try (0..<30).map { try trial.news("c\($0)") }
    try trial.settle()
    #expect(
      try replay(.since(.init(millisecondsSince1970: 0), until: nil), trial, endpoint) == true)
    try trial.turn()
    for _ in 0..<8 { try trial.answer(200) }
    try trial.turn()
    try trial.crash()
    #expect(try trial.settle() == Array(positions[8...]))
    try trial.crash()
    #expect(try trial.settle() == [])
  }

  @Test func `dead letters are sent again, and are dead no more once they arrive`() throws {
    let trial = try DeliveryTrial { $0.disablesAfter = .days(365) }
    let endpoint = try trial.endpoint("one")
    let positions = try ["a", "b"].map { try trial.news($0) }
    for _ in 0..<24 {
      try trial.settle { _ in 500 }
      trial.wait(.hours(24))
    }
    let letters = try trial.letters("one")
    #expect(letters == positions)
    #expect(try replay(.deadLetters, trial, endpoint) == true)
    #expect(try trial.settle().sorted() == positions)
    #expect(try trial.letters("one") == [])
    #expect(try replay(.deadLetters, trial, endpoint) == false)
  }

  /// An endpoint at which everything of some customers has died, in a history of several events each.
  private func buried(_ customers: [String]) throws -> (DeliveryTrial, Destination, [Int64]) {
    let trial = try DeliveryTrial { $0.disablesAfter = .days(3_650) }
    let endpoint = try trial.endpoint("one")
    let positions = try customers.map { try trial.news($0) }
    while try trial.letters("one").count < customers.count {
      try trial.settle { _ in 500 }
      trial.wait(.hours(24))
    }
    return (trial, endpoint, positions)
  }

  @Test func `dead letters come in each customer's order, one behind the other`() throws {
    let (trial, endpoint, dead) = try buried(["ada", "ben", "ada", "ada", "ben"])
    // What was delivered in between is not sent again.
    let alive = try trial.news("ada")
    #expect(try trial.settle() == [alive])
    #expect(try replay(.deadLetters, trial, endpoint) == true)
    try trial.turn()
    #expect(trial.sent.map(\.position).sorted() == [dead[0], dead[1]])
    try trial.answer(200, position: dead[0])
    try trial.turn()
    #expect(trial.sent.map(\.position).sorted() == [dead[1], dead[2]])
    // A crash loses no place.
    try trial.crash()
    var arrived = try trial.settle()
    #expect(arrived.filter { [dead[2], dead[3]].contains($0) } == [dead[2], dead[3]])
    #expect(arrived.filter { [dead[1], dead[4]].contains($0) } == [dead[1], dead[4]])
    arrived = try trial.letters("one")
    #expect(arrived == [])
  }

  @Test func `a dead letter that fails again holds back that customer's later ones, nobody else's`()
    throws
  {
    let (trial, endpoint, dead) = try buried(["ada", "ada", "ben", "ben"])
    #expect(try replay(.deadLetters, trial, endpoint) == true)
    let first = try trial.settle { $0.position == dead[0] ? 503 : 200 }
    #expect(first.filter { $0 == dead[0] } == [dead[0]])
    #expect(!first.contains(dead[1]))
    #expect(first.suffix(2) == dead[2...])
    trial.wait(.seconds(6))
    #expect(try trial.settle() == [dead[0], dead[1]])
    #expect(try trial.letters("one") == [])
    #expect(try replay(.deadLetters, trial, endpoint) == false)
  }

  @Test func `a dead letter that dies again lets the next one through and stays dead`() throws {
    let (trial, endpoint, dead) = try buried(["ada", "ada"])
    #expect(try replay(.deadLetters, trial, endpoint) == true)
    var arrived: [Int64] = []
    for _ in 0..<24 {
      try trial.settle { request in
        if request.position != dead[0] { arrived.append(request.position) }
        return request.position == dead[0] ? 500 : 200
      }
      trial.wait(.hours(24))
    }
    #expect(arrived == [dead[1]])
    #expect(try trial.letters("one") == [dead[0]])
  }

  @Test func `dead news of nobody is sent again beside that of customers`() throws {
    let (trial, endpoint, dead) = try buried(["ada"])
    let (now, other) = (trial.now, try trial.endpoint("two"))
    try trial.write { (recorder) throws(StoreError) in
      _ = try recorder.disable(other, .operator, now: now)
      try recorder.wake(other, now: now)
    }
    try trial.reload()
    for _ in 0..<30 where try trial.letters("one").count < 3 {
      try trial.settle { _ in 500 }
      trial.wait(.hours(24))
    }
    #expect(try replay(.deadLetters, trial, endpoint) == true)
    #expect(try trial.settle().sorted() == [dead[0], dead[0] + 1, dead[0] + 2])
    #expect(try trial.letters("one") == [])
  }

  @Test func `a notification that could not be forwarded is forwarded once it is asked for`() throws
  {
    let trial = try DeliveryTrial()
    let now = trial.now
    let body = Array(#"{"signedPayload":"x"}"#.utf8)
    try trial.write { (recorder) throws(StoreError) in
      try recorder.forward(to: ["https://old.example.com/"], now: now)
      try recorder.keep(Arrival(body: body, contentType: "application/json", receivedAt: now))
    }
    try trial.reload()
    let target = try #require(
      try trial.reader.read { (recorder) throws(StoreError) in try recorder.destinations() }.first)
    while try trial.letters(target.name) == [] {
      try trial.settle { _ in 500 }
      trial.wait(.hours(24))
    }
    #expect(try replay(.since(now, until: nil), trial, target) == false)
    #expect(try replay(.deadLetters, trial, target) == true)
    try trial.turn()
    #expect(trial.sent.map(\.dispatch.body) == [body])
    try trial.settle()
    #expect(try trial.letters(target.name) == [])
    let kept = try trial.reader.read { (recorder) throws(StoreError) in try recorder.arrival(1) }
    #expect(kept == nil)
  }

  @Test func `there are only so many repetitions at a time`() throws {
    let trial = try DeliveryTrial()
    let endpoint = try trial.endpoint("one")
    let position = try trial.news("ada")
    try trial.settle()
    #expect(try replay(.event(EventCursor(position: position)), trial, endpoint, limit: 2) == true)
    #expect(try replay(.event(EventCursor(position: position)), trial, endpoint, limit: 2) == true)
    #expect(try replay(.event(EventCursor(position: position)), trial, endpoint, limit: 2) == nil)
    #expect(try trial.settle() == [position, position])
    #expect(try replay(.event(EventCursor(position: position)), trial, endpoint, limit: 2) == true)
  }
}
