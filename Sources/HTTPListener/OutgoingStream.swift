import CMicrohttpd
import Synchronization

/// A streamed body on its connection: suspended while there is nothing to send, so that it costs no
/// thread and no polling.
///
/// Everything but ``wake()`` happens on the loop's thread, which is why it may cross threads.
final class OutgoingStream: @unchecked Sendable {
  private let loop: HTTPLoop
  private let body: any StreamedBody
  private let isWakePosted = Atomic<Bool>(false)
  private var connection: OpaquePointer?
  private var isParked = false
  private var isFinishing = false

  init(_ body: any StreamedBody, on connection: OpaquePointer, of loop: HTTPLoop) {
    self.body = body
    self.connection = connection
    self.loop = loop
  }

  // MARK: From any thread

  func wake() {
    guard !isWakePosted.exchange(true, ordering: .acquiringAndReleasing) else { return }
    loop.post {
      self.isWakePosted.store(false, ordering: .releasing)
      self.resume()
    }
  }

  // MARK: On the loop's thread

  func begin() { body.begin(StreamWaker(self)) }

  /// What libmicrohttpd is told: how many bytes there are, none for now, or the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard let connection else { return Int(MHD_CONTENT_READER_END_OF_STREAM) }
    switch body.read(into: buffer) {
    case .bytes(let count):
      loop.phase(of: connection, .writing)
      return count
    case .wait:
      loop.phase(of: connection, .streaming)
      isParked = true
      MHD_suspend_connection(connection)
      return 0
    case .end:
      loop.phase(of: connection, .writing)
      return Int(MHD_CONTENT_READER_END_OF_STREAM)
    }
  }

  /// Has the stream say goodbye.
  ///
  /// - Returns: Whether it had not been told to before.
  func finish(_ reason: StreamEnding) -> Bool {
    guard !isFinishing, let connection else { return false }
    isFinishing = true
    loop.phase(of: connection, .writing)
    body.finish(reason)
    resume()
    return true
  }

  /// The connection is gone.
  func end() { connection = nil }

  private func resume() {
    guard let connection, isParked else { return }
    isParked = false
    MHD_resume_connection(connection)
  }
}

/// A file-level constant of the C type: see the loop's own.
let streamRead: MHD_ContentReaderCallback = { context, _, buffer, capacity in
  guard let context, let buffer else { return Int(MHD_CONTENT_READER_END_WITH_ERROR) }
  let stream = Unmanaged<OutgoingStream>.fromOpaque(context).takeUnretainedValue()
  return stream.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: capacity))
}

let streamReleased: MHD_ContentReaderFreeCallback = { context in
  guard let context else { return }
  Unmanaged<OutgoingStream>.fromOpaque(context).release()
}
