import Foundation

/// What an earlier run knew, as it is written to the device.
///
/// Shape: the SHA-256 of what follows, a line feed, and JSON. The hash finds damage; it keeps nobody
/// from writing, which is why nothing in the cache grants: it is what was last known.
struct CacheFile: Codable, Equatable {
  static let format = 1

  var format = CacheFile.format
  var realm: String
  var bundleID: String?
  var environment: String?
  /// The `appTransactionId` of who was signed in.
  var owner: String?
  /// Unit: milliseconds since 1970.
  var savedAtMs: Int64
  var newestSignedMs: Int64
  var latestSeenMs: Int64
  /// The newest signed copy of each transaction.
  var transactions: [String]
  var states: [State]
  var vouchers: [Vouched]
  var delivered: [String]
  /// What is still to be handed to the reporter, as it stands in its queue.
  var unreported: [String]?
  /// When the app itself was taken back.
  var appTakenBackAtMs: Int64?

  struct State: Codable, Equatable {
    var state: Int32
    var transaction: String
    var renewal: String?
  }

  struct Vouched: Codable, Equatable {
    var originalTransactionID: String
    var environment: String
    var atMs: Int64
  }
}
