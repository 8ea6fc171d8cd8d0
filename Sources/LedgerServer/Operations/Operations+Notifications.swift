import AppStoreModel
import LedgerStorage

extension Operations {
  /// Tells whether a notification was stored, by its UUID, and whether notifications arrive here at all:
  /// a command that holds the ledger takes none.
  func findNotification(_ request: JSONValue) throws(Problem) -> [UInt8] {
    guard let uuid = request["notificationUUID"]?.string else {
      throw Problem(.badParameter, "notificationUUID is missing.")
    }
    let arrival = try store { () throws(StoreError) in
      try ledger.makeReader().arrival(ofNotification: uuid)
    }
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("found", arrival != nil)
      writer.member("receivedAtMs", arrival?.millisecondsSince1970)
      writer.member("isServing", isServing)
    }
    return writer.bytes
  }
}
