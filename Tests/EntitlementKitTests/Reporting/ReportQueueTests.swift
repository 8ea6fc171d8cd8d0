import AppStoreModel
import EntitlementKit
import Foundation
import Testing

struct ReportQueueTests {
  @Test func `a queue survives a relaunch, and lines of another form do not`() {
    var queue = ReportQueue()
    let news = [
      queue.add(.transaction("a.b.c")), queue.add(.renewal("d.e.f")),
      queue.add(.transaction("a.b.c")),
    ]
    #expect(news == [true, true, false])
    let bytes = queue.bytes() + Array("\nx a.b.c\nt nonsense\n".utf8)
    #expect(ReportQueue(bytes).nextBatch == [.transaction("a.b.c"), .renewal("d.e.f")])
    #expect(ReportQueue([]).nextBatch == nil)
  }

  @Test func `a request carries transactions and renewals`() {
    let body = ReportQueue.body(
      [.transaction("a.b.c"), .renewal("d.e.f")], appVersion: "1.2")
    #expect(
      String(decoding: body, as: UTF8.self)
        == #"{"signedTransactions":["a.b.c"],"signedRenewals":["d.e.f"],"appVersion":"1.2"}"#)
  }

  @Test func `a failure keeps everything and waits longer each time`() {
    var queue = ReportQueue()
    _ = queue.add(.transaction("a.b.c"))
    let waits = (0..<14).map { _ in
      queue.settle(queue.nextBatch ?? [], .failed(retryAfter: nil))?.milliseconds ?? 0
    }
    #expect(waits.prefix(4) == [2_000, 4_000, 8_000, 16_000])
    #expect(waits.last == 3_600_000)
    #expect(queue.count == 1)
    let asked = queue.settle(queue.nextBatch ?? [], .failed(retryAfter: .hours(5)))
    #expect(asked == .hours(5))
    let taken = queue.settle(queue.nextBatch ?? [], .taken)
    #expect(taken == nil)
    #expect(queue.count == 0)
  }

  @Test func `what the sandbox sold is never in one request with what the store sold`() {
    func text(_ number: Int, _ place: String) -> ReportQueue.Text {
      let json = Data(#"{"transactionId":"\#(number)","environment":"\#(place)"}"#.utf8)
      let middle = json.base64EncodedString().replacingOccurrences(of: "=", with: "")
      return .transaction("h.\(middle).s")
    }
    var queue = ReportQueue()
    let places = ["Sandbox", "Sandbox", "Production", "Sandbox", "Later", "Production"]
    for (number, place) in places.enumerated() { _ = queue.add(text(number, place)) }
    var batches: [Int] = []
    while let batch = queue.nextBatch {
      batches.append(batch.count)
      _ = queue.settle(batch, .taken)
    }
    #expect(batches == [2, 1, 1, 2])
  }

  @Test func `batches and the queue have a greatest length`() {
    var queue = ReportQueue()
    for number in 0..<1_200 { _ = queue.add(.transaction("a.\(number).c")) }
    #expect(queue.count == ReportQueue.greatestLength)
    #expect(queue.nextBatch?.count == ReportQueue.greatestBatch)
    #expect(queue.nextBatch?.first == .transaction("a.200.c"))
  }
}
