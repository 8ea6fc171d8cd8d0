import LedgerStorage

/// What one stream still has to send: bounded, and cut into what the connection takes at a time.
struct EventBacklog {
  /// Beyond this many events a reader is no longer told of each: it reads on from the store.
  static let capacity = 512

  private var frames: [[UInt8]] = []
  private var next = 0
  private var offset = 0

  var count: Int { frames.count - next }
  var isEmpty: Bool { count == 0 }

  mutating func append(_ frame: [UInt8]) { frames.append(frame) }

  /// Forgets all but the rest of what is half sent: a frame that breaks off would swallow the next.
  mutating func drop() {
    let begun = offset > 0 ? [frames[next]] : []
    frames = begun
    next = 0
  }

  /// Moves as many bytes as there are or fit, and tells how many.
  mutating func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    var filled = 0
    while filled < buffer.count, next < frames.count {
      let rest = frames[next].count - offset
      let size = min(rest, buffer.count - filled)
      frames[next].withUnsafeBytes { bytes in
        let piece = UnsafeRawBufferPointer(rebasing: bytes[offset..<(offset + size)])
        UnsafeMutableRawBufferPointer(rebasing: buffer[filled..<(filled + size)])
          .copyMemory(from: piece)
      }
      filled += size
      offset += size
      if size == rest { advance() }
    }
    return filled
  }

  private mutating func advance() {
    next += 1
    offset = 0
    guard next == frames.count else { return }
    frames.removeAll(keepingCapacity: false)
    next = 0
  }
}
