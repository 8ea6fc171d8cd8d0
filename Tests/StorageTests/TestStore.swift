import AppStoreModel
import Glibc
import LedgerStorage
import SQLiteStorage

/// Every kind of store, so that each promise is tested on each.
enum StoreKind: String, CaseIterable, Sendable {
  case memory, file

  /// A new ledger of this kind.
  func open(rules: LedgerRules = .standard) throws -> TestStore {
    try TestStore(self, rules: rules)
  }
}

/// A ledger for one test; a file goes with the object.
final class TestStore {
  let path: String?
  let ledger: Ledger
  let reader: LedgerReader

  private var removesFile = false

  convenience init(_ kind: StoreKind, rules: LedgerRules) throws {
    try self.init(path: kind == .memory ? nil : TestStore.newPath(), rules: rules)
    removesFile = true
  }

  deinit {
    if removesFile, let path { TestStore.remove(path) }
  }

  init(
    path: String?, rules: LedgerRules = .standard, settings: SQLiteSettings = SQLiteSettings()
  ) throws {
    self.path = path
    let address = path.map { SQLiteAddress.file(path: $0) } ?? .memory
    let store = try SQLiteStore(
      address, realm: .apple, settings: settings, now: Timestamp(millisecondsSince1970: 0))
    ledger = Ledger(store: store, rules: rules)
    reader = try ledger.makeReader()
  }

  static func newPath() -> String {
    var template = Array("/tmp/clawback-storage-XXXXXX".utf8CString)
    let directory = template.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
    }
    return (directory ?? "/tmp") + "/ledger.sqlite"
  }

  static func remove(_ path: String) {
    for suffix in ["", "-wal", "-shm", ".lock"] { Glibc.unlink(path + suffix) }
    if let slash = path.lastIndex(of: "/") { rmdir(String(path[..<slash])) }
  }

  @discardableResult
  func record(_ deliveries: Delivery...) throws -> [DeliveryReceipt] {
    try ledger.wait { ledger.record(deliveries, completion: $0) }
  }
}

extension TestStore {
  /// How many rows there are of everything that a fact can give.
  func fingerprint() throws -> String {
    let counts = try reader.counts()
    return try "\(counts) \(reader.digest()) \(String(describing: reader.nextDeadline()))"
  }

  /// What is booked for each transaction, by currency.
  func postedSums() throws -> [String] {
    let statement = SQLStatement(
      """
      SELECT chains.original_transaction_id || ' ' || transaction_id || ' ' || currency || ' '
        || sum(amount_milliunits)
      FROM postings JOIN chains ON chains.id = postings.chain_id
      GROUP BY chains.original_transaction_id, transaction_id, currency
      HAVING sum(amount_milliunits) <> 0 ORDER BY 1
      """)
    return try reader.read { (recorder) throws(StoreError) in
      try recorder.session.rows(statement, []) { (row) throws(StoreError) in
        try row.requiredText(0)
      }
    }
  }
}

extension TestStore {
  func count(_ table: String) throws -> Int64? {
    let statement = SQLStatement("SELECT count(*) FROM \(table)")
    return try reader.read { (recorder) throws(StoreError) in
      try recorder.session.number(statement, [])
    }
  }
}
