import AppStoreModel
import EntitlementLedger
import LedgerStorage

/// What a product means, or how doubt is treated, and who said so.
struct CatalogPage {
  let key: StatedRules.Key
  let rules: LedgerRules
  /// Every statement that was ever made about it by the API, the first one first.
  let statements: [StatedRules.Statement]

  init(_ key: StatedRules.Key, in readers: ReaderPool) throws(Problem) {
    let (rules, statements) = try readers.read { (reader) throws(StoreError) in
      try reader.read { (recorder) throws(StoreError) in
        (recorder.rules, try recorder.statements(about: key))
      }
    }
    self.key = key
    self.rules = rules
    self.statements = statements
  }

  static func rules(in readers: ReaderPool) throws(Problem) -> LedgerRules {
    try readers.read { (reader) throws(StoreError) in
      try reader.read { (recorder) throws(StoreError) in recorder.rules }
    }
  }

  /// Whether neither the configuration nor anybody else says anything of it.
  var isUnknown: Bool {
    guard case .product(let productId) = key.subject else { return false }
    return statements.isEmpty && rules.catalog(key.bundleId).entries(of: productId).isEmpty
  }

  var json: [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      if case .product(let productId) = key.subject { writer.member("productId", productId) }
      writer.member("source", rules.source(of: key))
      writer.name("entries")
      writer.array { writer in entries(&writer) }
      writer.name("statements")
      writer.array { writer in for statement in statements { writer.statement(statement) } }
    }
    return writer.bytes
  }

  private func entries(_ writer: inout JSONWriter) {
    switch key.subject {
    case .product(let productId):
      for entry in rules.catalog(key.bundleId).entries(of: productId) { writer.product(entry) }
    case .policy:
      for entry in rules.policy(key.bundleId).all { writer.policy(entry) }
    }
  }
}

extension LedgerRules {
  /// Who says what counts: `configuration` or `api`.
  func source(of key: StatedRules.Key) -> String {
    stated[key] == nil ? "configuration" : "api"
  }
}

extension JSONWriter {
  mutating func product(_ entry: CatalogEntry, source: String? = nil) {
    object { writer in
      writer.member("productId", entry.productId)
      writer.member("source", source)
      writer.name("entitlements")
      writer.array { writer in for name in entry.entitlements { writer.string(name) } }
      writer.member("type", entry.typeHint?.rawValue)
      writer.member("lengthDays", entry.length.map { $0.milliseconds / 86_400_000 })
      writer.member("lengthMs", entry.length?.milliseconds)
      writer.member("creditsPerUnit", entry.creditsPerUnit)
      if entry.creditsPerUnit != nil { writer.member("creditUnit", entry.creditUnit) }
      writer.member("familyShareable", entry.isFamilyShareable)
      writer.effectiveFrom(entry.effectiveFrom)
    }
  }

  fileprivate mutating func policy(_ entry: PolicyEntry) {
    object { writer in
      writer.member("renewalLeewayMinutes", entry.renewalLeeway.milliseconds / 60_000)
      writer.member("unknownCustomer", entry.unknownCustomer.rawValue)
      writer.member("spentCredits", entry.spentCredits.rawValue)
      writer.effectiveFrom(entry.effectiveFrom)
    }
  }

  private mutating func effectiveFrom(_ moment: Timestamp) {
    guard moment != .distantPast else { return }
    member("effectiveFromMs", moment.millisecondsSince1970)
  }

  fileprivate mutating func statement(_ statement: StatedRules.Statement) {
    object { writer in
      writer.member("statedBy", statement.statedBy)
      writer.member("statedAtMs", statement.statedAt.millisecondsSince1970)
      writer.member("withdrawn", statement.content == .withdrawn)
    }
  }
}
