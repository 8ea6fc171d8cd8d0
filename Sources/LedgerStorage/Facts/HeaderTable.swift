/// The headers of signed texts: all that one certificate signed have the same, three certificates long.
///
/// It remembers what it read: one table serves one transaction, so that nothing remembered outlives
/// a transaction that was undone.
final class HeaderTable {
  private let session: any SQLSession
  private var ids: [[UInt8]: Int64] = [:]

  init(session: any SQLSession) {
    self.session = session
  }

  func findOrMake(_ record: SignedRecord) throws(StoreError) -> Int64 {
    let sha256 = record.headerSHA256
    if let known = ids[sha256] { return known }
    if let known = try session.number(Self.bySHA256, [.bytes(sha256)]) {
      ids[sha256] = known
      return known
    }
    let id = try session.insert(Self.insert, [.bytes(sha256), .bytes(record.headerSegment)])
    ids[sha256] = id
    return id
  }

  private static let bySHA256 = SQLStatement("SELECT id FROM header_segments WHERE sha256 = ?")
  private static let insert = SQLStatement(
    "INSERT INTO header_segments (sha256, segment) VALUES (?, ?)")
}
