/// What an app proves to the App Store who it is with.
public struct AppCredentials: Sendable {
  public let bundleId: String
  /// Shape: a UUID, shown in App Store Connect above the list of keys.
  public let issuerId: String
  public let keyId: String
  public let key: SigningKey

  public init(bundleId: String, issuerId: String, keyId: String, key: SigningKey) {
    self.bundleId = bundleId
    self.issuerId = issuerId
    self.keyId = keyId
    self.key = key
  }
}
