import AppStoreModel
import HTTPListener
import LedgerStorage

extension EventRoutes {
  /// A question for events, read.
  private struct Question: Sendable {
    var cursor: EventCursor
    let filter: EventFilter
    let limit: Int
  }

  /// What is there, and where the next question goes on.
  private struct Answer {
    var events: [StoredEvent] = []
    var next: EventCursor
  }

  /// How many events one question looks through for those that it wants.
  private static let scanned = 4_096

  /// Answers with what there is, or waits until there is something.
  func pull(_ call: Call, _ completion: @escaping Route.Completion) throws(Problem) {
    var question = Question(
      cursor: try start(call), filter: try EventFilter(call),
      limit: Int(try call.number("limit", in: EventRoutes.limits, default: 100)))
    let seconds = try call.number("wait", in: EventRoutes.waits, default: 0)
    let answer = try read(question)
    guard answer.events.isEmpty, seconds > 0, let key = call.key else {
      return completion(.success(EventRoutes.response(answer)))
    }
    question.cursor = answer.next
    let (rest, peer, seats) = (question, call.request.peer, seats)
    try seats.take(key: key.name, peer: peer)
    let wait = EventWait(
      filter: rest.filter, key: key, deadline: feed.ticks() + seconds * 1_000
    ) { [self] in
      seats.giveBack(key: key.name, peer: peer)
      completion(again(rest, key))
    }
    if !feed.wait(wait, after: answer.next.position) { wait.wake() }
  }

  /// Without a cursor a reader begins with the oldest event that is kept.
  private func start(_ call: Call) throws(Problem) -> EventCursor {
    let stated = try EventRoutes.cursor(call.request.target["after"], called: "after")
    if let stated { return try checked(stated) }
    return EventCursor(position: try feed.page(after: .start).floor)
  }

  private func again(
    _ question: Question, _ key: APIKey
  ) -> Result<HTTPResponse, Problem> {
    do throws(Problem) {
      guard keys.isGood(key) else { throw Problem(.unauthenticated) }
      return .success(EventRoutes.response(try read(question)))
    } catch {
      return .failure(error)
    }
  }

  private func read(_ question: Question) throws(Problem) -> Answer {
    try readers.read { (reader) throws(StoreError) in
      var answer = Answer(next: question.cursor)
      var left = EventRoutes.scanned
      while left > 0, answer.events.count < question.limit {
        let page = try reader.events(after: answer.next.position, limit: min(left, 512))
        for event in page where answer.events.count < question.limit {
          if question.filter.admits(event) { answer.events.append(event) }
          answer.next = EventCursor(event.id)
        }
        left -= page.count
        if page.count < 512 { break }
      }
      return answer
    }
  }

  private static func response(_ answer: Answer) -> HTTPResponse {
    var writer = JSONWriter()
    writer.object { writer in
      writer.name("events")
      writer.array { writer in
        for event in answer.events { writer.event(event) }
      }
      writer.member("next", answer.next.position)
    }
    return .json(writer.bytes)
  }
}
