import AppStoreVerification

/// The option that names another root of trust than Apple's.
enum RootOption {
  static let option = Option<String?>.text(
    "root", "FILE", "Trust this root certificate (DER) in place of Apple's, in a realm of its own.")

  /// Apple's root, or the one in the file.
  ///
  /// Errors: ``CommandFailure`` with ``ExitCode/unusable`` when the file holds no root certificate.
  static func read(_ path: String?) throws(CommandFailure) -> TrustedRoot {
    guard let path else { return .apple }
    let bytes = try InputFile.read(path, mebibytes: 1)
    do throws(VerificationConfigurationError) {
      return try TrustedRoot(certificate: bytes)
    } catch {
      throw CommandFailure("\(path): \(error)", advice: error.advice, code: .unusable)
    }
  }
}
