/// A body that comes over time, for as long as its reader stays.
///
/// All calls but the waker's come on the loop's thread and must not block it.
package protocol StreamedBody: AnyObject, Sendable {
  /// The answer is on its way; `waker` tells the loop later that there is more to read.
  func begin(_ waker: StreamWaker)

  /// Fills the buffer as far as there is something to send.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> StreamReading

  /// Has the next readings say goodbye and end.
  func finish(_ reason: StreamEnding)

  /// Nobody reads any more; the last call, also for an answer that was never sent.
  func ended()
}

/// What a streamed body has to send at the moment.
package enum StreamReading: Equatable, Sendable {
  case bytes(Int)
  /// Nothing until the waker is used.
  case wait
  case end
}

/// Why a loop ends a streamed body.
package enum StreamEnding: Equatable, Sendable {
  case stopping
  /// The reader takes nothing for longer than the time of a write.
  case stalled
}

/// Tells a loop, from any thread, that a streamed body has more to send.
package struct StreamWaker: Sendable {
  private let stream: OutgoingStream

  init(_ stream: OutgoingStream) {
    self.stream = stream
  }

  package func wake() { stream.wake() }
}
