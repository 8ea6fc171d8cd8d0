import Foundation

/// What a test asks of a customer's timeline.
struct Timeline {
  struct Sighting: Hashable {
    let channel: String
    let atMs: Int64
    let revokedAtMs: Int64
    let delayMs: Int64
  }

  private let entries: [[String: Any]]

  init(_ json: String) throws {
    let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
    entries = object?["entries"] as? [[String: Any]] ?? []
  }

  /// Every fact that shows a revocation of the transaction, in the order of arrival.
  func sightings(of transactionID: String) -> [Sighting] {
    entries.compactMap { entry in
      guard entry["kind"] as? String == "fact",
        entry["transactionId"] as? String == transactionID,
        let channel = entry["channel"] as? String, let at = entry["atMs"] as? Int64,
        let revokedAt = entry["revokedAtMs"] as? Int64, let delay = entry["delayMs"] as? Int64
      else { return nil }
      return Sighting(channel: channel, atMs: at, revokedAtMs: revokedAt, delayMs: delay)
    }
  }

  /// How often access was told to end.
  var denials: Int {
    entries.filter { ($0["event"] as? [String: Any])?["type"] as? String == "revoked" }.count
  }
}
