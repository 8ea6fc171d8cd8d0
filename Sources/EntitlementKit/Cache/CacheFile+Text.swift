import EntitlementLedger
import Foundation

extension CacheFile {
  func bytes() -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    guard let json = try? encoder.encode(self) else { return [] }
    let content = [UInt8](json)
    return Array(Fingerprint(of: content).hexadecimal.utf8) + [10] + content
  }

  init(_ bytes: [UInt8]) throws(CacheProblem) {
    guard let end = bytes.firstIndex(of: 10) else { throw .corrupted }
    let content = Array(bytes[(end + 1)...])
    guard Array(Fingerprint(of: content).hexadecimal.utf8) == Array(bytes[..<end]) else {
      throw .corrupted
    }
    let decoder = JSONDecoder()
    if let other = try? decoder.decode(Format.self, from: Data(content)),
      other.format != CacheFile.format
    {
      throw .otherFormat(other.format)
    }
    guard let file = try? decoder.decode(CacheFile.self, from: Data(content)) else {
      throw .corrupted
    }
    self = file
  }

  private struct Format: Codable {
    let format: Int
  }
}
