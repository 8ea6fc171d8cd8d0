import AppStoreModel
import AppStoreSimulator

/// What a notification says of itself, unverified: enough to find it in a receiver's log.
struct MessageLabel: Hashable {
  var type = ""
  var subtype: String?
  var notificationUUID = ""
  /// Unit: milliseconds since 1970.
  var signedDate: Int64 = 0
  var transactionId: String?
  var appAccountToken: String?
  /// Of whom a story speaks; absent for a recording.
  var customer: String?
  /// How it was spoiled; absent for a recording.
  var forgery: String?

  /// What the store means to say.
  init(_ notification: UnsignedNotification, of store: SimulatedAppStore) {
    let payload = notification.payload
    type = payload.notificationType?.rawValue ?? ""
    subtype = payload.subtype?.rawValue
    notificationUUID = payload.notificationUUID ?? ""
    signedDate = payload.signedDate?.millisecondsSince1970 ?? 0
    transactionId = notification.transaction?.transactionId
    appAccountToken = notification.transaction?.appAccountToken
    customer =
      (notification.transaction?.appTransactionId)
      .flatMap { store.customer(of: $0) }?.name
    forgery = notification.forgery?.rawValue
  }

  /// What was recorded; empty where it cannot be read, as in some forgeries.
  init(recorded signedPayload: String) {
    guard let outer = Self.payload(of: signedPayload) else { return }
    type = outer["notificationType"]?.string ?? ""
    subtype = outer["subtype"]?.string
    notificationUUID = outer["notificationUUID"]?.string ?? ""
    signedDate = outer["signedDate"]?.integer ?? 0
    let inner = (outer["data"]?["signedTransactionInfo"]?.string).flatMap(Self.payload)
    transactionId = inner?["transactionId"]?.string
    appAccountToken = inner?["appAccountToken"]?.string
  }

  private static func payload(of jws: String) -> JSONValue? {
    let parts = jws.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let bytes = Base64.decodedURL(parts[1]) else { return nil }
    return try? JSONValue(json: bytes)
  }

  /// Shape: `TYPE` or `TYPE/SUBTYPE`, as Apple spells them.
  var title: String { [type, subtype].compactMap { $0 }.joined(separator: "/") }
}
