import Glibc

/// A payload without the signed texts inside it, which are kept once, as facts of their own.
struct CutPayload: Hashable {
  /// What is left.
  let bytes: [UInt8]
  /// Where in `bytes` each part's text belongs; `nil` for a part that does not stand there
  /// letter by letter, so that nothing was cut out for it.
  let offsets: [Int?]

  /// Cuts out each part's text where it stands as the whole of a JSON string.
  init(_ payload: [UInt8], parts texts: [[UInt8]]) {
    var left: [UInt8] = []
    var offsets: [Int?] = []
    var position = 0
    for text in texts {
      guard let found = CutPayload.place(of: text, in: payload, from: position) else {
        offsets.append(nil)
        continue
      }
      left += payload[position..<found]
      offsets.append(left.count)
      position = found + text.count
    }
    bytes = left + payload[position...]
    self.offsets = offsets
  }

  /// Puts the texts back.
  static func whole(_ bytes: [UInt8], _ parts: [(offset: Int, text: [UInt8])]) -> [UInt8] {
    var payload: [UInt8] = []
    var position = 0
    for part in parts.sorted(by: { $0.offset < $1.offset }) {
      let offset = min(max(part.offset, position), bytes.count)
      payload += bytes[position..<offset]
      payload += part.text
      position = offset
    }
    return payload + bytes[position...]
  }

  private static func place(of text: [UInt8], in payload: [UInt8], from start: Int) -> Int? {
    guard !text.isEmpty else { return nil }
    return payload.withUnsafeBytes { payload in
      text.withUnsafeBytes { text in
        var place = quote(in: payload, from: start).map { $0 + 1 }
        while let found = place, found + text.count < payload.count {
          if stands(text, in: payload, at: found) { return found }
          place = quote(in: payload, from: found).map { $0 + 1 }
        }
        return nil
      }
    }
  }

  /// Whether the text is all that stands from a place up to the next quote.
  private static func stands(
    _ text: UnsafeRawBufferPointer, in payload: UnsafeRawBufferPointer, at place: Int
  ) -> Bool {
    guard payload[place + text.count] == UInt8(ascii: "\""), let base = payload.baseAddress,
      let start = text.baseAddress
    else { return false }
    return memcmp(base + place, start, text.count) == 0
  }

  private static func quote(in payload: UnsafeRawBufferPointer, from start: Int) -> Int? {
    guard let base = payload.baseAddress, start < payload.count else { return nil }
    return memchr(base + start, Int32(UInt8(ascii: "\"")), payload.count - start).map {
      base.distance(to: UnsafeRawPointer($0))
    }
  }
}
