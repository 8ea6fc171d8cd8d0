import AppStoreModel
import ChanceSupport
import EntitlementLedger
import LedgerStorage
import Testing

@testable import LedgerServer

/// What is sent when, and what is remembered of it, on a clock that the test sets.
struct DeliveryDeskTests {
  @Test func `what is new goes out once, in the order in which it happened`() throws {
    let trial = try DeliveryTrial()
    try trial.news("early")
    try trial.endpoint("one")
    let positions = try ["a", "b", "c"].map { try trial.news($0) }
    #expect(try trial.settle() == positions)
    #expect(try trial.settle() == [])
    try trial.crash()
    #expect(try trial.settle() == [])
  }

  @Test func `an endpoint gets what its apps, its environment and its types give`() throws {
    let trial = try DeliveryTrial()
    try trial.endpoint("all")
    try trial.endpoint("other", apps: ["com.example.other"])
    try trial.endpoint("production", environment: .production)
    try trial.endpoint("typed", types: ["decisionChanged"])
    try trial.endpoint("money", types: ["refundBooked"])
    let position = try trial.news("a")
    try trial.turn()
    let names = try trial.sent.map { sent in
      try #require(
        ["all", "other", "production", "typed", "money"].first {
          try trial.destination($0).id == sent.attempt.destination
        })
    }
    let type = try #require(try trial.reader.events(after: position - 1, limit: 1).first?.type)
    #expect(names == (type == "decisionChanged" ? ["all", "typed"] : ["all"]))
    try trial.settle()
    #expect(try trial.desk.statuses().allSatisfy { $0.behind == 0 })
  }

  @Test func `a failure is retried by the published schedule and then becomes a dead letter`()
    throws
  {
    let trial = try DeliveryTrial()
    try trial.endpoint("one")
    let position = try trial.news("a")
    for row in RetryScheduleTests.published {
      #expect(try trial.settle { _ in 500 } == [position])
      trial.wait(TimeSpan(milliseconds: row.seconds * 1_000 - 1))
      #expect(try trial.settle() == [], "attempt \(row.attempts)")
      trial.wait(TimeSpan(milliseconds: 1))
    }
    #expect(try trial.letters("one") == [])
    #expect(try trial.settle { _ in 500 } == [position])
    #expect(try trial.letters("one") == [position])
    trial.wait(.days(30))
    #expect(try trial.settle() == [])
    let log = try trial.log("one").reversed()
    #expect(log.map(\.attempt) == Array(1...11))
    #expect(log.map(\.result) == Array(repeating: .failed, count: 10) + [.dead])
  }

  static let failures: [DispatchAnswer] = [
    DispatchAnswer(status: 500), DispatchAnswer(status: 404), DispatchAnswer(status: 301),
    DispatchAnswer(status: 307), DispatchAnswer(failure: .timedOut),
    DispatchAnswer(failure: .noConnection), DispatchAnswer(failure: .insecure),
    DispatchAnswer(status: 200, failure: .broken), DispatchAnswer(failure: .forbiddenAddress),
  ]

  @Test(arguments: failures)
  func `whatever is no whole answer of success is a failure`(answer: DispatchAnswer) throws {
    let trial = try DeliveryTrial()
    try trial.endpoint("one")
    let position = try trial.news("a")
    try trial.turn()
    try trial.answer(answer)
    #expect(try trial.settle() == [])
    trial.wait(.seconds(5))
    #expect(try trial.settle() == [position])
    let first = try #require(try trial.log("one").last)
    #expect(first.status == answer.status && first.failure == answer.failure?.rawValue)
  }

  @Test func `an undelivered event holds back that customer's later ones and nobody else's`()
    throws
  {
    let trial = try DeliveryTrial()
    try trial.endpoint("one")
    let first = try trial.news("ada")
    let second = try trial.news("ada")
    let others = try ["ben", "cleo"].map { try trial.news($0) }
    let third = try trial.news("ada")
    #expect(try trial.settle { $0.position == first ? 503 : 200 } == [first] + others)
    let more = try trial.news("ben")
    #expect(try trial.settle() == [more])
    trial.wait(.seconds(5))
    #expect(try trial.settle() == [first, second, third])
    #expect(try trial.news("ada") == trial.settle().first)
  }

  @Test func `while a customer's event is under way the next one waits, and follows at once`()
    throws
  {
    let trial = try DeliveryTrial()
    try trial.endpoint("one")
    let positions = try (0..<5).map { _ in try trial.news("ada") }
    for position in positions {
      try trial.turn()
      #expect(trial.sent.map(\.position) == [position])
      try trial.answer(200)
    }
  }

  @Test func `a dead endpoint is tried one at a time, is read no further, and delays nobody`()
    throws
  {
    let trial = try DeliveryTrial()
    try trial.endpoint("dead")
    try trial.endpoint("good")
    let dead = try trial.destination("dead").id
    for number in 0..<300 { try trial.news("c\(number)") }
    var delivered = 0
    try trial.settle { sent in
      if sent.attempt.destination != dead { delivered += 1 }
      return sent.attempt.destination == dead ? 500 : 200
    }
    #expect(delivered == 300)
    let status = try #require(try trial.desk.statuses().first)
    #expect(status.held >= 64 && status.held < 300)
    #expect(status.behind > 0)
    trial.wait(.seconds(5))
    try trial.turn()
    #expect(trial.sent.count == 1)
    // It comes back to life: everything arrives.
    var arrived: Set<Int64> = []
    for _ in 0..<20 {
      arrived.formUnion(try trial.settle())
      trial.wait(.hours(1))
    }
    #expect(arrived.count == 300)
    #expect(try trial.desk.statuses().allSatisfy { $0.behind == 0 && $0.held == 0 })
  }

  @Test
  func `after five days of nothing but failures an endpoint is disabled, and woken it goes on`()
    throws
  {
    let trial = try DeliveryTrial()
    let endpoint = try trial.endpoint("one")
    let position = try trial.news("ada")
    for hour in 0..<121 {
      if hour % 10 == 0, hour > 0 { try trial.news("c\(hour)") }
      try trial.settle { _ in 500 }
      trial.wait(.hours(1))
    }
    let stopped = try trial.destination("one")
    #expect(stopped.disabledBecause == .failing)
    #expect(trial.reports.count { $0.isDisabling } == 1)
    let missed = try trial.news("late")
    trial.wait(.days(2))
    #expect(try trial.settle() == [])
    let now = trial.now
    try trial.write { (recorder) throws(StoreError) in try recorder.wake(endpoint, now: now) }
    try trial.reload()
    let arrived = try trial.settle()
    #expect(arrived.contains(missed))
    #expect(try !trial.types(arrived).contains("webhookWoken"))
    #expect(try trial.letters("one").first == position)
    #expect(try trial.destination("one").failingSince == nil)
    #expect(try trial.destination("one").disabledAt == nil)
  }

  @Test func `one success in five days keeps an endpoint enabled`() throws {
    let trial = try DeliveryTrial()
    try trial.endpoint("one")
    for hour in 0..<300 {
      if hour % 5 == 0 { try trial.news("c\(hour)") }
      try trial.settle { _ in hour == 100 || hour == 200 ? 200 : 500 }
      trial.wait(.hours(1))
    }
    #expect(try trial.destination("one").disabledAt == nil)
  }

  @Test func `410 disables at once, and loses nothing`() throws {
    let trial = try DeliveryTrial()
    let endpoint = try trial.endpoint("one")
    let positions = [try trial.news("ada"), try trial.news("ben")]
    try trial.settle { _ in 410 }
    #expect(try trial.destination("one").disabledBecause == .gone)
    trial.wait(.days(1))
    #expect(try trial.settle() == [])
    let now = trial.now
    try trial.write { (recorder) throws(StoreError) in try recorder.wake(endpoint, now: now) }
    try trial.reload()
    let arrived = try trial.settle().sorted()
    #expect(arrived == positions)
  }

  @Test func `Retry-After puts the next attempt off`() throws {
    let trial = try DeliveryTrial()
    try trial.endpoint("one")
    let position = try trial.news("ada")
    try trial.turn()
    try trial.answer(DispatchAnswer(status: 503, retryAfter: "3600"))
    trial.wait(.minutes(59))
    #expect(try trial.settle() == [])
    trial.wait(.minutes(1))
    #expect(try trial.settle() == [position])
  }

  @Test func `what was under way when the process died is sent again, and nothing is lost`()
    throws
  {
    let trial = try DeliveryTrial()
    try trial.endpoint("one")
    let positions = try (0..<20).map { try trial.news("c\($0 % 7)") }
    try trial.turn()
    // Two were delivered and not written down, one failed and was, the rest is under way.
    try trial.answer(500, position: positions[0])
    try trial.turn()
    try trial.answer(200, position: positions[1])
    try trial.answer(200, position: positions[2])
    try trial.crash()
    var arrived = Set(try trial.settle())
    trial.wait(.seconds(5))
    arrived.formUnion(try trial.settle())
    #expect(arrived == Set(positions))
    try trial.crash()
    #expect(try trial.settle() == [])
  }

  @Test func `a consumer that applies versions never goes backwards, whatever fails and crashes`()
    throws
  {
    var dice = Dice(seed: 20_261_130)
    for round in 0..<10 {
      let trial = try DeliveryTrial()
      try trial.endpoint("one")
      var consumer: [String: Int64] = [:]
      var newest: [String: Int64] = [:]
      for _ in 0..<60 {
        let name = "c\(dice.roll(below: 5))"
        try trial.news(name)
        try trial.turn()
        while !trial.sent.isEmpty, dice.roll(below: 4) > 0 {
          let request = trial.sent[dice.roll(below: trial.sent.count)]
          let isGood = dice.roll(below: 3) > 0
          if isGood || dice.roll(below: 3) == 0 {
            let event = try JSONValue(json: request.dispatch.body)
            let customer = try #require(event["customer"]?.string)
            let version = try #require(event["version"]?.integer)
            // A repeated or older version is dropped; a newer one is the next.
            let seen = consumer[customer] ?? 0
            if version > seen {
              #expect(version == seen + 1, "round \(round): a version was skipped")
              consumer[customer] = version
            }
          }
          try trial.answer(isGood ? 200 : 500, position: request.position)
          try trial.turn()
        }
        if dice.roll(below: 12) == 0 { try trial.crash() }
        trial.wait(.seconds(Int64(dice.roll(below: 60))))
      }
      for _ in 0..<20 {
        try trial.settle { request in
          if let event = try? JSONValue(json: request.dispatch.body),
            let customer = event["customer"]?.string, let version = event["version"]?.integer,
            version > consumer[customer] ?? 0
          {
            #expect(version == (consumer[customer] ?? 0) + 1)
            consumer[customer] = version
          }
          return 200
        }
        trial.wait(.hours(24))
      }
      for event in try trial.reader.events(after: 0, limit: 500) {
        if let name = event.customer?.text { newest[name] = event.version }
      }
      #expect(consumer == newest)
    }
  }

  @Test func `the log remembers the last thousand attempts`() throws {
    let trial = try DeliveryTrial()
    try trial.endpoint("one")
    for number in 0..<1_050 { try trial.news("c\(number)") }
    try trial.settle()
    #expect(try trial.log("one").count == DeliveryAttempt.remembered)
  }

  @Test func `steps about an endpoint that was removed are dropped, and others are written`()
    throws
  {
    let trial = try DeliveryTrial()
    let gone = try trial.endpoint("gone")
    try trial.endpoint("stays")
    try trial.news("ada")
    try trial.turn()
    try trial.write { (recorder) throws(StoreError) in try recorder.remove(gone) }
    try trial.answer(500)
    try trial.answer(200)
    try trial.turn()
    #expect(try trial.log("stays").count == 1)
    try trial.crash()
    #expect(try trial.settle() == [])
  }
}
