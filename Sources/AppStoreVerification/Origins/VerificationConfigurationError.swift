/// Why a verifier cannot be made from what the operator configured.
public enum VerificationConfigurationError: Error, Hashable, Sendable {
  case noRoots
  /// A configured root is not one self-signed certificate in DER form.
  case unusableRoot
  /// A serial number on the deny-list is not hexadecimal: the word as written.
  case unusableSerial(String)
  case noApps
  case emptyBundleID
  case duplicateApp(bundleID: String)
  case noEnvironments
  /// Not Production or Sandbox: the word as written.
  case unprovableEnvironment(String)
  /// Production is allowed, and the App Store id to compare is missing.
  case missingAppAppleID(bundleID: String)
  /// The cryptography library could not be set up.
  case cryptographyUnavailable
}

extension VerificationConfigurationError {
  public var isTransient: Bool { false }

  /// What the operator should do next.
  public var advice: String {
    switch self {
    case .noRoots: "Trust Apple's root, or for tests the root of a simulated App Store."
    case .unusableRoot: "Give the root as one certificate in DER form."
    case .unusableSerial: "Write the serial number in hexadecimal, as `openssl x509 -serial` does."
    case .noApps: "Name at least one app."
    case .emptyBundleID: "Give every app its bundle id."
    case .duplicateApp: "Name every app once."
    case .noEnvironments: "Allow Production, Sandbox or both."
    case .unprovableEnvironment:
      "Write Production or Sandbox; data of Xcode and local testing carries no proof."
    case .missingAppAppleID:
      "Add the app's numeric Apple ID from App Store Connect, under App Information."
    case .cryptographyUnavailable: "Check the installation of libcrypto (OpenSSL 3)."
    }
  }
}

extension VerificationConfigurationError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .noRoots: "no root certificate is trusted"
    case .unusableRoot: "a trusted root is not a self-signed certificate in DER form"
    case .unusableSerial(let word): "\"\(word)\" is not a serial number"
    case .noApps: "no app is named"
    case .emptyBundleID: "an app has an empty bundle id"
    case .duplicateApp(let bundleID): "the app \(bundleID) is named twice"
    case .noEnvironments: "no environment is allowed"
    case .unprovableEnvironment(let word): "the environment \"\(word)\" cannot be allowed"
    case .missingAppAppleID(let bundleID): "Production is allowed, but \(bundleID) has no Apple ID"
    case .cryptographyUnavailable: "libcrypto cannot be used"
    }
  }
}
