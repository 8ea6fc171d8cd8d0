import AppStoreModel
import LedgerStorage
import Testing

@testable import LedgerServer

/// What a reader is told whose cursor is no good.
struct EventCursorTests {
  private static func served() throws -> ServedLedger {
    let served = try ServedLedger()
    try served.tell(0..<4)
    return served
  }

  /// Both ways of reading refuse in the same words.
  private static func refusals(
    _ served: ServedLedger, _ cursor: String
  ) throws -> [(status: Int, code: String?, detail: String?)] {
    let pulled = try served.call("GET /v1/events?after=\(cursor)", .read)
    let streamed = try served.call(
      "GET /v1/events/stream", .read, fields: "Last-Event-ID: \(cursor)\r\n")
    return try [pulled, streamed].map { answer in
      let problem = try JSONValue(json: Array(answer.body.utf8))
      return (answer.status, problem["code"]?.string, problem["detail"]?.string)
    }
  }

  @Test(arguments: ["x", "-1", "1.5", "+1", "01", "evt_1", "evt_1_zz", "99999999999999999999"])
  func `what is no cursor is refused as such`(cursor: String) throws {
    let served = try Self.served()
    defer { served.stop() }
    for refusal in try Self.refusals(served, cursor) {
      #expect(refusal.status == 400)
      #expect(refusal.code == "badParameter")
      #expect(refusal.detail?.hasSuffix("is the id or the position of an event.") == true)
    }
  }

  @Test func `two cursors in one request are refused, whichever comes first`() throws {
    let served = try Self.served()
    defer { served.stop() }
    for (first, second) in [("1", "3"), ("3", "1"), ("2", "2"), ("", "2")] {
      let answer = try served.call(
        "GET /v1/events/stream", .read,
        fields: "Last-Event-ID: \(first)\r\nLast-Event-ID: \(second)\r\n")
      #expect(answer.status == 400)
      #expect(try JSONValue(json: Array(answer.body.utf8))["code"]?.string == "badParameter")
    }
  }

  @Test(arguments: ["5", "9223372036854775807", "evt_5_0123456789abcdef", "evt_2_0123456789abcdef"])
  func `a cursor of the future or of another ledger is refused with what to do`(
    cursor: String
  ) throws {
    let served = try Self.served()
    defer { served.stop() }
    for refusal in try Self.refusals(served, cursor) {
      #expect(refusal.status == 409)
      #expect(refusal.code == "cursorUnknown")
      #expect(refusal.detail?.contains("then go on with after=4") == true)
    }
  }

  @Test func `a cursor older than what is kept is refused with what to do, and that works`()
    throws
  {
    let served = try Self.served()
    defer { served.stop() }
    let ledger = served.service.ledger
    _ = try ledger.wait { completion in
      ledger.write(completion) { (recorder) throws(StoreError) in
        try recorder.forgetEvents(before: ServedLedger.start.adding(.days(1)), limit: 3)
      }
    }
    for cursor in ["0", "2", "evt_2_0123456789abcdef"] {
      for refusal in try Self.refusals(served, cursor) {
        #expect(refusal.status == 410)
        #expect(refusal.code == "cursorExpired")
        #expect(refusal.detail?.contains("then go on with after=3.") == true)
      }
    }
    for query in ["", "?after=3"] {
      let answer = try served.call("GET /v1/events\(query)", .read)
      let events = try JSONValue(json: Array(answer.body.utf8))["events"]?.array
      #expect(events?.map { $0["position"]?.integer } == [4])
    }
    #expect(try StreamReader(served, "?after=3").event()?.version == 4)
  }

  @Test func `events go when they are older than they are kept, and never a younger one`() throws {
    let served = try ServedLedger { $0.events.kept = .days(30) }
    defer { served.stop() }
    let ledger = served.service.ledger
    func forget() throws -> Int {
      try ledger.wait { completion in
        ledger.write(completion) { [now = served.moment.get()] (recorder) throws(StoreError) in
          try recorder.forgetEvents(before: now.subtracting(.days(30)), limit: 100)
        }
      }
    }
    try served.tell(0..<3)
    served.moment.set(ServedLedger.start.adding(.days(20)))
    try served.tell(3..<5)
    served.moment.set(ServedLedger.start.adding(.days(30)))
    #expect(try forget() == 0)
    served.moment.set(ServedLedger.start.adding(.days(30)).adding(TimeSpan(milliseconds: 1)))
    #expect(try forget() == 3)
    #expect(try forget() == 0)
    let answer = try served.call("GET /v1/events", .read)
    let events = try JSONValue(json: Array(answer.body.utf8))["events"]?.array
    #expect(events?.map { $0["version"]?.integer } == [4, 5])
  }
}
