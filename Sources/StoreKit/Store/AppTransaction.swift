public import Foundation

/// Apple's `AppTransaction`: the download of the app itself.
public struct AppTransaction: Sendable {
  /// Apple's `AppTransaction.StoreType`.
  public struct StoreType: RawRepresentable, Equatable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let consumer: AppTransaction.StoreType = .init(rawValue: "CONSUMER")
    // The texts of these two are not published: they are ours.
    public static let education: AppTransaction.StoreType = .init(rawValue: "EDUCATION")
    public static let enterprise: AppTransaction.StoreType = .init(rawValue: "ENTERPRISE")
  }

  public var jsonRepresentation: Data { json.data }
  public let appID: UInt64?
  public var appTransactionID: String { json.text("appTransactionId") ?? "" }
  public let appVersion: String
  public let appVersionID: UInt64?
  public let bundleID: String
  public let environment: AppStore.Environment
  public let originalAppVersion: String
  public let originalPurchaseDate: Date
  public let originalPlatform: AppStore.Platform
  public let preorderDate: Date?
  public let deviceVerification: Data
  public let deviceVerificationNonce: UUID
  public var revocationDate: Date? { json.date("appRevocationDate") }
  public let signedDate: Date
  public let storeType: AppTransaction.StoreType
  public var originalPlatformStringRepresentation: String {
    json.text("originalPlatform") ?? "iOS"
  }
  public var storeTypeStringRepresentation: String { json.text("storeType") ?? "CONSUMER" }

  package let jws: String

  private var json: SignedJSON { SignedJSON(jws: jws) }

  /// Reads what the store signed.
  package init(jws: String) {
    let json = SignedJSON(jws: jws)
    self.jws = jws
    appID = json.number("appAppleId").map { UInt64(max(0, $0)) }
    appVersion = json.text("applicationVersion") ?? ""
    appVersionID = json.number("versionExternalIdentifier").map { UInt64(max(0, $0)) }
    bundleID = json.text("bundleId") ?? ""
    environment = AppStore.Environment(rawValue: json.text("receiptType") ?? "")
    originalAppVersion = json.text("originalApplicationVersion") ?? ""
    originalPurchaseDate = json.date("originalPurchaseDate") ?? .distantPast
    originalPlatform = AppStore.Platform(rawValue: json.text("originalPlatform") ?? "iOS")
    preorderDate = json.date("preorderDate")
    deviceVerification = json.bytes("deviceVerification") ?? Data()
    deviceVerificationNonce = json.uuid("deviceVerificationNonce") ?? UUID()
    signedDate = json.date("receiptCreationDate") ?? .distantPast
    storeType = StoreType(rawValue: json.text("storeType") ?? "CONSUMER")
  }

  public static var all: AppTransaction.AppTransactions { AppTransactions() }

  public static var shared: VerificationResult<AppTransaction> {
    get async throws { try await read(refreshing: false) }
  }

  public static func refresh() async throws -> VerificationResult<AppTransaction> {
    try await read(refreshing: true)
  }

  private static func read(refreshing: Bool) async throws -> VerificationResult<AppTransaction> {
    guard let device = StandIn.device else { throw StoreKitError.unknown }
    return VerificationResult(try await device.appTransaction(refreshing: refreshing))
  }
}

extension AppTransaction {
  /// Apple's `AppTransaction.AppTransactions`.
  public struct AppTransactions: AsyncSequence, Sendable {
    public typealias Element = VerificationResult<AppTransaction>

    /// Apple's iterator; like Apple's it is not `Sendable`.
    public struct AsyncIterator: AsyncIteratorProtocol {
      private var hasEnded = false

      init() {}

      public mutating func next() async -> VerificationResult<AppTransaction>? {
        if hasEnded { return nil }
        hasEnded = true
        return try? await AppTransaction.shared
      }
    }

    public func makeAsyncIterator() -> AppTransaction.AppTransactions.AsyncIterator {
      AsyncIterator()
    }
  }
}

extension AppTransaction: Equatable {
  public static func == (lhs: AppTransaction, rhs: AppTransaction) -> Bool { lhs.jws == rhs.jws }
}

extension AppTransaction: Hashable {
  public func hash(into hasher: inout Hasher) { hasher.combine(jws) }
}
