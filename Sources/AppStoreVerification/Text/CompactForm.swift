import Glibc

/// A JWS cut at its dots, nothing decoded yet.
///
/// Source: RFC 7515, section 7.1.
struct CompactForm {
  /// A notification has about 19,000 bytes, of which the header is 4,500.
  static let greatestSize = 1 << 20
  static let greatestHeader = 1 << 16

  let header: UnsafeBufferPointer<UInt8>
  let payload: UnsafeBufferPointer<UInt8>
  let signature: UnsafeBufferPointer<UInt8>

  init(
    _ text: UnsafeBufferPointer<UInt8>, part: SignedDataKind
  ) throws(VerificationError) {
    guard text.count <= Self.greatestSize else { throw VerificationError(.formSize, in: part) }
    guard let first = Self.dot(in: text, from: 0), first > 0,
      let second = Self.dot(in: text, from: first + 1), second > first + 1,
      Self.dot(in: text, from: second + 1) == nil
    else { throw VerificationError(.formSegments, in: part) }
    guard first <= Self.greatestHeader else { throw VerificationError(.formSize, in: part) }
    header = UnsafeBufferPointer(rebasing: text[..<first])
    payload = UnsafeBufferPointer(rebasing: text[(first + 1)..<second])
    signature = UnsafeBufferPointer(rebasing: text[(second + 1)...])
  }

  private static func dot(in text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    guard let base = text.baseAddress else { return nil }
    return memchr(base + start, Int32(UInt8(ascii: ".")), text.count - start).map {
      UnsafeRawPointer(base).distance(to: UnsafeRawPointer($0))
    }
  }
}
