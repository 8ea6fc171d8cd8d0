import CMicrohttpd
import Glibc

/// One request and its answer, while libmicrohttpd carries them.
///
/// Everything but ``answer(_:)`` happens on the loop's thread, which is why it may cross threads.
final class Exchange: @unchecked Sendable {
  private let loop: HTTPLoop
  /// `nil` where what the request asks for cannot be read.
  private let target: RequestTarget?
  private let id: String
  private(set) var connection: OpaquePointer?
  private var method = ""
  private var peer = ""
  private var headers = HTTPHeaders()
  private var body: [UInt8] = []
  private var response: HTTPResponse?
  private(set) var stream: OutgoingStream?
  private var isChecked = false
  private var isHanded = false
  private var isParked = false
  private var isQueued = false
  private var isBroken = false

  init(rawTarget: String, id: String, loop: HTTPLoop) {
    target = RequestTarget(rawTarget)
    self.id = id
    self.loop = loop
  }

  // MARK: From any thread

  func answer(_ response: HTTPResponse) {
    if loop.isCurrentThread {
      finish(response)
    } else {
      loop.post { self.finish(response) }
    }
  }

  /// Ends the connection without an answer.
  func drop() {
    if loop.isCurrentThread {
      breakOff()
    } else {
      loop.post { self.breakOff() }
    }
  }

  // MARK: On the loop's thread

  /// libmicrohttpd calls this for the header, for each piece of the body, and for the answer.
  func advance(
    _ connection: OpaquePointer, method: String, piece: UnsafeRawBufferPointer
  ) -> MHD_Result {
    self.connection = connection
    if !isChecked {
      isChecked = true
      self.method = method
      peer = HTTPLoop.peer(of: connection)
      headers = HTTPHeaders(of: connection)
      loop.phase(of: connection, .body)
      if let refusal = headerRefusal() { return refuse(refusal) }
      return MHD_YES
    }
    if !piece.isEmpty { return take(piece) }
    if !isHanded, response == nil { hand() }
    if isBroken { return MHD_NO }
    if response != nil { return queue() }
    isParked = true
    MHD_suspend_connection(connection)
    return MHD_YES
  }

  /// libmicrohttpd is done with the request: what comes later must find nothing.
  func end() {
    loop.releaseBody(body.count, of: peer)
    body = []
    connection = nil
    stream?.end()
    response?.stream?.ended()
  }

  private func headerRefusal() -> Refusal? {
    if let problem = headers.ambiguity { return .malformed(problem) }
    let length = headers["content-length"].flatMap { Int($0) } ?? 0
    if length > loop.limits.bodySize { return .bodyTooLarge(limit: loop.limits.bodySize) }
    if target == nil { return .malformed("The request target cannot be read.") }
    return nil
  }

  private func refuse(_ refusal: Refusal) -> MHD_Result {
    loop.countRefusal()
    response = loop.handler.refusal(refusal, id: id).with("Connection", "close")
    return queue()
  }

  private func take(_ piece: UnsafeRawBufferPointer) -> MHD_Result {
    if response != nil { return MHD_YES }
    guard body.count + piece.count <= loop.limits.bodySize else {
      return drop(.bodyTooLarge(limit: loop.limits.bodySize))
    }
    guard loop.reserveBody(piece.count, for: peer) else { return drop(.overloaded) }
    body += piece
    return MHD_YES
  }

  /// Keeps the refusal until the rest of the body has come: only then can it be sent.
  private func drop(_ refusal: Refusal) -> MHD_Result {
    loop.releaseBody(body.count, of: peer)
    body = []
    loop.countRefusal()
    response = loop.handler.refusal(refusal, id: id).with("Connection", "close")
    return MHD_YES
  }

  private func hand() {
    guard let connection, let target else { return }
    isHanded = true
    if loop.isClosing {
      response = loop.handler.refusal(.overloaded, id: id)
      return
    }
    loop.phase(of: connection, .working)
    let request = HTTPRequest(
      id: id, method: method, target: target, headers: headers, body: body, peer: peer)
    loop.handler.handle(request, reply: Reply(self))
  }

  private func finish(_ response: HTTPResponse) {
    guard connection != nil, self.response == nil, !isBroken else {
      response.stream?.ended()
      return
    }
    self.response = response
    resume()
  }

  private func breakOff() {
    guard connection != nil, response == nil else { return }
    isBroken = true
    resume()
  }

  private func resume() {
    guard let connection, isParked else { return }
    isParked = false
    MHD_resume_connection(connection)
  }

  private func queue() -> MHD_Result {
    guard let connection, let response, !isQueued else { return MHD_NO }
    isQueued = true
    loop.phase(of: connection, .writing)
    let last = loop.isStopping ? response.with("Connection", "close") : response
    guard let body = last.stream else { return last.queue(on: connection) }
    let stream = OutgoingStream(body, on: connection, of: loop)
    self.stream = stream
    stream.begin()
    if loop.isStopping { _ = stream.finish(.stopping) }
    return last.queue(stream, on: connection)
  }

  /// Resumes a parked connection at shutdown, since none may be suspended when the daemon stops.
  func abandon(_ response: HTTPResponse) {
    if let stream { _ = stream.finish(.stopping) } else { finish(response) }
  }
}

let MHD_YES = MHD_Result.YES
let MHD_NO = MHD_Result.NO
