import AppStoreModel
import EntitlementLedger

extension FactTable {
  /// Keeps a statement of our own.
  func store(_ fact: OwnFact, _ filing: Filing) throws(StoreError) -> Int64 {
    let json = fact.json
    let sha256 = Fingerprint(hashing: json).bytes
    if let known = try find(sha256: sha256) { return known.id }
    let id = try insert(
      kind: "own", sha256: sha256, payload: json, filing, judgedAt: fact.recordedAt)
    _ = try sight(id, channel: "own", at: fact.recordedAt)
    return id
  }
}

extension OwnFact {
  /// What is kept of it, and shown on a timeline.
  var json: [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("bundleId", scope.bundleId)
      writer.member("environment", scope.environment.rawValue)
      writer.member("recordedAtMs", recordedAt.millisecondsSince1970)
      writer.member("recordedBy", recordedBy)
      writer.member("note", note)
      writer.statement(statement)
    }
    return writer.bytes
  }
}

extension OwnFact.Statement {
  /// What kind of statement it is: a closed list, as timelines and events show it.
  var word: String {
    switch self {
    case .grant: "grant"
    case .grantRevoked: "grantRevoked"
    case .link: "link"
    case .unlink: "unlink"
    case .transfer: "transfer"
    case .registeredToken: "registeredToken"
    case .consumptionConsent: "consumptionConsent"
    case .catalogEntry: "catalogEntry"
    case .policyEntry: "policyEntry"
    }
  }

  fileprivate var customer: CustomerID? {
    switch self {
    case .grant(let grant): grant.customer
    case .link(let customer, _, _), .unlink(let customer, _), .transfer(let customer, _),
      .registeredToken(let customer, _), .consumptionConsent(let customer, _, _):
      customer
    case .grantRevoked, .catalogEntry, .policyEntry: nil
    }
  }
}

extension JSONWriter {
  fileprivate mutating func statement(_ statement: OwnFact.Statement) {
    member("statement", statement.word)
    member("customer", statement.customer?.text)
    switch statement {
    case .grant(let grant):
      member("grantId", grant.id)
      member("entitlement", grant.entitlement)
      member("fromMs", grant.from.millisecondsSince1970)
      member("untilMs", grant.until?.millisecondsSince1970)
    case .grantRevoked(let grantId): member("grantId", grantId)
    case .link(_, let original, let appTransactionId):
      member("originalTransactionId", original)
      member("appTransactionId", appTransactionId)
    case .unlink(_, let original), .transfer(_, let original):
      member("originalTransactionId", original)
    case .registeredToken(_, let token): member("appAccountToken", token)
    case .consumptionConsent(_, let isGiven, let recordedBy):
      member("consented", isGiven)
      member("recordedBy", recordedBy)
    case .catalogEntry(let entry): member("productId", entry.productId)
    case .policyEntry: break
    }
  }
}
