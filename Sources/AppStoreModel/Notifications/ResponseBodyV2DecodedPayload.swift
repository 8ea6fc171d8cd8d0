/// What an App Store Server Notification says, version 2.
///
/// Every member is optional here: what is required is settled when a fact is made of it.
///
/// Source: Apple's `responseBodyV2DecodedPayload`.
public struct ResponseBodyV2DecodedPayload: Hashable, Sendable {
  public var notificationType: NotificationType?
  public var subtype: NotificationSubtype?
  /// Names the notification; a retry carries the same one.
  public var notificationUUID: String?
  /// Always `2.0` so far: nothing depends on it.
  public var version: String?
  public var signedDate: Timestamp?
  public var data: NotificationData?
  public var summary: NotificationSummary?
  public var externalPurchaseToken: ExternalPurchaseToken?
  public var appData: NotificationAppData?
  public var unknownMembers = UnknownMembers()

  public init() {}
}

extension ResponseBodyV2DecodedPayload {
  /// Reads a whole JSON text.
  public init(json: UnsafeBufferPointer<UInt8>) throws(MalformedPayload) {
    try self.init(whole: json)
  }

  /// Its JSON text: known members in a fixed order, then the unknown ones.
  public func json() -> [UInt8] {
    written()
  }
}

extension ResponseBodyV2DecodedPayload: JSONPayload {
  package static let members = MemberTable<ResponseBodyV2DecodedPayload>([
    .word("notificationType", { $0.notificationType }, { $0.notificationType = $1 }),
    .word("subtype", { $0.subtype }, { $0.subtype = $1 }),
    .text("notificationUUID", { $0.notificationUUID }, { $0.notificationUUID = $1 }),
    .text("version", { $0.version }, { $0.version = $1 }),
    .moment("signedDate", { $0.signedDate }, { $0.signedDate = $1 }),
    .object("data", { $0.data }, { $0.data = $1 }),
    .object("summary", { $0.summary }, { $0.summary = $1 }),
    .object(
      "externalPurchaseToken", { $0.externalPurchaseToken }, { $0.externalPurchaseToken = $1 }),
    .object("appData", { $0.appData }, { $0.appData = $1 }),
  ])
}
