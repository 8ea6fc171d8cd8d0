import AppStoreModel
import AppStoreSimulator
import Testing

struct OutboxTests {
  private static let start = Timestamp(millisecondsSince1970: 1_780_000_000_000)

  private func outbox(
    _ environment: AppStoreEnvironment = .production, count: Int = 1,
    _ adapt: (inout DeliveryFaults) -> Void = { _ in }
  ) throws -> Outbox {
    var faults = DeliveryFaults()
    adapt(&faults)
    var store = SimulatedAppStore(seed: 3)
    let ada = store.enroll("Ada")
    for minute in 0..<count {
      try store.buy(
        SimulatedProduct.coins.id, by: ada, at: Self.start.adding(.minutes(Int64(minute))))
    }
    var outbox = Outbox(in: environment, faults: faults, seed: 3)
    for notification in store.notifications { outbox.add(notification) }
    return outbox
  }

  /// Posts everything up to the end of time; the receiver answers in turn, the last for all the rest.
  private func deliver(
    _ outbox: inout Outbox, _ answers: SendAttempt.Result...
  ) -> [Transmission] {
    var sent: [Transmission] = []
    while let next = outbox.next(until: .distantFuture) {
      outbox.record(answers[min(sent.count, answers.count - 1)], of: next)
      sent.append(next)
    }
    return sent
  }

  private func hours(_ sent: [Transmission]) -> [Int64] {
    sent.map { ($0.date.millisecondsSince1970 - Self.start.millisecondsSince1970) / 3_600_000 }
  }

  @Test func `production tries six times, each counted from the attempt before`() throws {
    var outbox = try outbox()
    let sent = deliver(&outbox, .timedOut)
    #expect(hours(sent) == [0, 1, 13, 37, 85, 157])
    #expect(sent.map(\.attempt) == Array(1...6))
    #expect(outbox.notifications.first?.attempts.count == 6)
    #expect(outbox.notifications.first?.hasArrived == false)
    #expect(outbox.nextDue() == nil)
  }

  @Test func `the sandbox tries once, and a receipt ends it`() throws {
    var sandbox = try outbox(.sandbox)
    #expect(deliver(&sandbox, .unsuccessfulStatus).count == 1)
    var production = try outbox()
    #expect(hours(deliver(&production, .noResponse, .socketIssue, .success)) == [0, 1, 13])
    #expect(production.notifications.first?.hasArrived == true)
  }

  @Test(arguments: [
    (199, SendAttempt.Result.unsuccessfulStatus), (200, .success), (206, .success),
    (207, .unsuccessfulStatus), (301, .unsuccessfulStatus), (503, .unsuccessfulStatus),
  ])
  func `only 200 to 206 is a receipt`(status: Int, result: SendAttempt.Result) {
    #expect(SendAttempt.Result(status: status) == result)
  }

  @Test func `a retry is the same, or signed again with a date of its own`() throws {
    for resigns in [false, true] {
      var outbox = try outbox { $0.resignsRetries = resigns }
      let sent = deliver(&outbox, .noResponse, .success)
      #expect(sent.count == 2)
      let dates = sent.map(\.notification.payload.signedDate)
      #expect(dates == [Self.start, resigns ? Self.start.adding(.hours(1)) : Self.start])
      #expect(sent[1].notification.transaction?.signedDate == dates[1])
      #expect(
        sent[0].notification.payload.notificationUUID
          == sent[1].notification.payload.notificationUUID)
    }
  }

  @Test func `an outage takes the attempts that fall into it`() throws {
    var outbox = try outbox {
      $0.outages = [Self.start..<Self.start.adding(.hours(20))]
    }
    #expect(hours(deliver(&outbox, .success)) == [37])
    #expect(
      outbox.notifications[0].attempts.map(\.result)
        == [.noResponse, .noResponse, .noResponse, .success])
  }

  @Test func `duplicates, losses and delays are as many as told, and the same for a seed`() throws {
    var twice = try outbox(count: 40) { $0.duplicatedPerMille = 500 }
    let sent = deliver(&twice, .success)
    #expect((45...75).contains(sent.count))
    #expect(Set(sent.map(\.notification.payload.notificationUUID)).count == 40)
    #expect(twice.notifications.count { $0.isCopy } == sent.count - 40)
    var again = try outbox(count: 40) { $0.duplicatedPerMille = 500 }
    #expect(deliver(&again, .success).map(\.index) == sent.map(\.index))

    var lossy = try outbox(count: 40) { $0.droppedPerMille = 250 }
    #expect((20...38).contains(deliver(&lossy, .success).count))
    #expect(lossy.notifications.count(where: \.hasArrived) == 40)

    var late = try outbox(count: 40) {
      $0.delayedPerMille = 500
      $0.greatestDelay = .hours(5)
    }
    let order = deliver(&late, .success).map(\.index)
    #expect(order != order.sorted())
    #expect(order.sorted() == Array(0..<40))
  }

  @Test func `a notification that the store repeats is sent again and listed once`() throws {
    var store = SimulatedAppStore(seed: 3)
    store.sendTest(at: Self.start)
    store.sendAgain(0)
    var outbox = Outbox(in: .production, seed: 3)
    for notification in store.notifications { outbox.add(notification) }
    #expect(deliver(&outbox, .success).count == 2)
    #expect(outbox.notifications.map(\.isCopy) == [false, true])
    let uuid = store.notifications[0].payload.notificationUUID ?? ""
    #expect(outbox.notification(uuid)?.attempts.count == 1)
  }
}
