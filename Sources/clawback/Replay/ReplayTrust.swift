import AppStoreModel
import AppStoreVerification
import LedgerServer
import LedgerStorage

/// What an archive is taken under: whom to trust, for which apps, and what products grant.
struct ReplayTrust {
  let realm: Realm
  let verifier: SignedDataVerifier
  let rules: LedgerRules
  /// The only app that is taken; `nil` when there can be several.
  let app: String?

  /// Every app under a root, and products that grant entitlements of their own ids.
  init(root path: String?) throws {
    let root = try RootOption.read(path)
    realm = root.realm
    verifier = try SignedDataVerifier(roots: [root], allowed: .any)
    rules = .standard
    app = nil
  }

  /// What a configuration file states; a root given besides it takes the place of the file's.
  ///
  /// Errors: ``CommandFailure`` with ``ExitCode/unusable``, naming the setting.
  init(configuration path: String, root: String?) throws(CommandFailure) {
    var configuration = try ConfigurationFile.read(path)
    if let root { configuration.root = .file(path: root) }
    do throws(ServiceError) {
      realm = try configuration.trustedRoot().realm
      verifier = try configuration.verifier()
    } catch {
      throw CommandFailure("\(path): \(error).", advice: error.advice, code: .unusable)
    }
    rules = configuration.ledgerRules
    app = configuration.apps.count == 1 ? configuration.apps.first?.bundleId : nil
  }
}
