import AppStoreModel
import AppStoreVerification

/// The lines of an archive, one JWS or object each, empty lines left out.
struct SignedLines: Sequence {
  let text: [UInt8]

  func makeIterator() -> AnyIterator<ArraySlice<UInt8>> {
    var start = text.startIndex
    return AnyIterator {
      while start < text.endIndex {
        let end = text[start...].firstIndex(of: UInt8(ascii: "\n")) ?? text.endIndex
        let line = text[start..<end]
        start = Swift.min(end + 1, text.endIndex)
        if line.contains(where: { $0 > 0x20 }) { return line }
      }
      return nil
    }
  }
}
