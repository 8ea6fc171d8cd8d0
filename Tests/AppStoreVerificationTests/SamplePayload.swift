/// A JSON object whose members a test can change one by one.
struct SamplePayload {
  /// 2026-05-28T20:26:40Z: when all samples are signed.
  static let signedDate: Int64 = 1_780_000_000_000

  /// Names and JSON texts, in order.
  private var members: [(name: String, json: String)] = []

  init(_ members: KeyValuePairs<String, String>) {
    self.members = members.map { ($0.key, $0.value) }
  }

  /// The JSON text of a member; `nil` leaves it out.
  subscript(_ name: String) -> String? {
    get { members.first { $0.name == name }?.json }
    set {
      let index = members.firstIndex { $0.name == name }
      if let newValue {
        if let index {
          members[index].json = newValue
        } else {
          members.append((name, newValue))
        }
      } else if let index {
        members.remove(at: index)
      }
    }
  }

  func setting(_ name: String, _ json: String?) -> SamplePayload {
    var copy = self
    copy[name] = json
    return copy
  }

  var json: String {
    "{" + members.map { "\"\($0.name)\":\($0.json)" }.joined(separator: ",") + "}"
  }

  var bytes: [UInt8] { Array(json.utf8) }
}

extension SamplePayload {
  static let transaction = SamplePayload([
    "transactionId": "\"2000000000000002\"", "originalTransactionId": "\"2000000000000001\"",
    "bundleId": "\"com.example.app\"", "productId": "\"com.example.app.pro\"",
    "purchaseDate": "1779990000000", "expiresDate": "1782582000000", "quantity": "1",
    "type": "\"Auto-Renewable Subscription\"", "inAppOwnershipType": "\"PURCHASED\"",
    "signedDate": "1780000000000", "environment": "\"Sandbox\"",
  ])

  static let renewal = SamplePayload([
    "originalTransactionId": "\"2000000000000001\"", "productId": "\"com.example.app.pro\"",
    "autoRenewStatus": "1", "signedDate": "1780000000000", "environment": "\"Sandbox\"",
  ])

  static let data = SamplePayload([
    "appAppleId": "1234567890", "bundleId": "\"com.example.app\"", "bundleVersion": "\"1\"",
    "environment": "\"Sandbox\"",
  ])

  static let notification = SamplePayload([
    "notificationType": "\"REFUND\"",
    "notificationUUID": "\"00000000-0000-4000-8000-000000000001\"",
    "version": "\"2.0\"", "signedDate": "1780000000000",
  ])

  static let appTransaction = SamplePayload([
    "receiptType": "\"Sandbox\"", "appAppleId": "1234567890", "bundleId": "\"com.example.app\"",
    "receiptCreationDate": "1780000000000", "appTransactionId": "\"700000000000000001\"",
  ])
}
