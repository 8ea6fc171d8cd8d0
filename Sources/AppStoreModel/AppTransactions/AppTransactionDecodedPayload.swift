/// The download of an app, as the App Store signs it.
///
/// Every member is optional here: what is required is settled when a fact is made of it.
///
/// Source: Apple's `JWSAppTransactionDecodedPayload`.
public struct AppTransactionDecodedPayload: Hashable, Sendable {
  /// Holds the environment.
  public var receiptType: AppStoreEnvironment?
  public var appAppleId: Int64?
  public var bundleId: String?
  public var applicationVersion: String?
  public var versionExternalIdentifier: Int64?
  /// Stands in for a `signedDate`.
  public var receiptCreationDate: Timestamp?
  public var originalPurchaseDate: Timestamp?
  public var originalApplicationVersion: String?
  public var preorderDate: Timestamp?
  /// Xcode only.
  public var requestDate: Timestamp?
  /// One for each Apple Account and app.
  public var appTransactionId: String?
  public var originalPlatform: OriginalPlatform?
  public var storeType: String?
  /// When the App Store took a paid app back; absent while it stands.
  public var appRevocationDate: Timestamp?
  public var deviceVerification: String?
  public var deviceVerificationNonce: String?
  public var unknownMembers = UnknownMembers()

  public init() {}
}

extension AppTransactionDecodedPayload {
  /// Reads a whole JSON text.
  public init(json: UnsafeBufferPointer<UInt8>) throws(MalformedPayload) {
    try self.init(whole: json)
  }

  /// Its JSON text: known members in a fixed order, then the unknown ones.
  public func json() -> [UInt8] {
    written()
  }
}

extension AppTransactionDecodedPayload: JSONPayload {
  package static let members = MemberTable<AppTransactionDecodedPayload>([
    .word("receiptType", { $0.receiptType }, { $0.receiptType = $1 }),
    .int64("appAppleId", { $0.appAppleId }, { $0.appAppleId = $1 }),
    .text("bundleId", { $0.bundleId }, { $0.bundleId = $1 }),
    .text("applicationVersion", { $0.applicationVersion }, { $0.applicationVersion = $1 }),
    .int64(
      "versionExternalIdentifier", { $0.versionExternalIdentifier },
      { $0.versionExternalIdentifier = $1 }),
    .moment("receiptCreationDate", { $0.receiptCreationDate }, { $0.receiptCreationDate = $1 }),
    .moment("originalPurchaseDate", { $0.originalPurchaseDate }, { $0.originalPurchaseDate = $1 }),
    .text(
      "originalApplicationVersion", { $0.originalApplicationVersion },
      { $0.originalApplicationVersion = $1 }),
    .moment("preorderDate", { $0.preorderDate }, { $0.preorderDate = $1 }),
    .moment("requestDate", { $0.requestDate }, { $0.requestDate = $1 }),
    .text("appTransactionId", { $0.appTransactionId }, { $0.appTransactionId = $1 }),
    .word("originalPlatform", { $0.originalPlatform }, { $0.originalPlatform = $1 }),
    .text("storeType", { $0.storeType }, { $0.storeType = $1 }),
    .moment("appRevocationDate", { $0.appRevocationDate }, { $0.appRevocationDate = $1 }),
    .text("deviceVerification", { $0.deviceVerification }, { $0.deviceVerification = $1 }),
    .text(
      "deviceVerificationNonce", { $0.deviceVerificationNonce }, { $0.deviceVerificationNonce = $1 }
    ),
  ])
}
