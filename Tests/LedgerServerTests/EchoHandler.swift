import HTTPListener
import Synchronization

/// Tells what it was sent: its answers come from the loop's thread, or from another one.
struct EchoHandler: RequestHandler {
  var fromAnotherThread = false
  var parked: Parked?

  /// Replies that a test holds back.
  final class Parked: Sendable {
    let replies = Mutex<[Reply]>([])
  }

  func handle(_ request: HTTPRequest, reply: Reply) {
    if let parked {
      parked.replies.withLock { $0.append(reply) }
      return
    }
    let text =
      "\(request.method) /\(request.target.segments.joined(separator: "|")) \(request.body.count)"
    let response = HTTPResponse.text(text)
    if fromAnotherThread {
      _ = WorkerThread { reply.send(response) }
    } else {
      reply.send(response)
    }
  }

  func refusal(_ reason: Refusal, id: String) -> HTTPResponse {
    switch reason {
    case .malformed: HTTPResponse(status: 400)
    case .bodyTooLarge: HTTPResponse(status: 413)
    case .overloaded: HTTPResponse(status: 503)
    }
  }
}
