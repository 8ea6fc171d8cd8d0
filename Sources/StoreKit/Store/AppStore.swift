public import Foundation

/// Apple's `AppStore`.
public enum AppStore {
  public static var canMakePayments: Bool { StandIn.device?.canMakePayments ?? false }

  public static var deviceVerificationID: UUID? { StandIn.device?.deviceVerificationID }

  public static func sync() async throws {
    guard let device = StandIn.device else { throw StoreKitError.unknown }
    try await device.sync()
  }
}

extension AppStore: Sendable {}

extension AppStore {
  /// Apple's `AppStore.Environment`.
  public struct Environment: RawRepresentable, Equatable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let production: AppStore.Environment = .init(rawValue: "Production")
    public static let sandbox: AppStore.Environment = .init(rawValue: "Sandbox")
    public static let xcode: AppStore.Environment = .init(rawValue: "Xcode")
  }

  /// Apple's `AppStore.Platform`.
  public struct Platform: RawRepresentable, Equatable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let iOS: AppStore.Platform = .init(rawValue: "iOS")
    public static let macOS: AppStore.Platform = .init(rawValue: "macOS")
    public static let tvOS: AppStore.Platform = .init(rawValue: "tvOS")
    public static let visionOS: AppStore.Platform = .init(rawValue: "visionOS")
    public static var managed: AppStore.Platform { .init(rawValue: "MANAGED") }
  }

  public static var ageRatingCode: Int? { get async { nil } }
}
