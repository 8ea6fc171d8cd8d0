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

extension JSONWriter {
  fileprivate mutating func statement(_ statement: OwnFact.Statement) {
    switch statement {
    case .grant(let grant):
      members("grant", customer: grant.customer)
      member("grantId", grant.id)
      member("entitlement", grant.entitlement)
      member("fromMs", grant.from.millisecondsSince1970)
      member("untilMs", grant.until?.millisecondsSince1970)
    case .grantRevoked(let grantId):
      members("grantRevoked", customer: nil)
      member("grantId", grantId)
    case .link(let customer, let original, let appTransactionId):
      members("link", customer: customer)
      member("originalTransactionId", original)
      member("appTransactionId", appTransactionId)
    case .unlink(let customer, let original):
      members("unlink", customer: customer)
      member("originalTransactionId", original)
    case .transfer(let customer, let original):
      members("transfer", customer: customer)
      member("originalTransactionId", original)
    case .registeredToken(let customer, let token):
      members("registeredToken", customer: customer)
      member("appAccountToken", token)
    case .consumptionConsent(let customer, let isGiven, let recordedBy):
      members("consumptionConsent", customer: customer)
      member("consented", isGiven)
      member("recordedBy", recordedBy)
    case .catalogEntry(let entry):
      members("catalogEntry", customer: nil)
      member("productId", entry.productId)
    case .policyEntry:
      members("policyEntry", customer: nil)
    }
  }

  private mutating func members(_ type: String, customer: CustomerID?) {
    member("statement", type)
    member("customer", customer?.text)
  }
}
