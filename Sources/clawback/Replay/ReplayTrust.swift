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

  /// What a configuration file states; a root given besides has to be the file's.
  ///
  /// Errors: ``CommandFailure`` with ``ExitCode/unusable``, naming the setting.
  init(configuration path: String, root: String?) throws(CommandFailure) {
    let configuration = try ConfigurationFile.read(path)
    do throws(ServiceError) {
      realm = try configuration.trustedRoot().realm
      verifier = try configuration.verifier()
    } catch {
      throw CommandFailure(error, in: path)
    }
    if let root {
      let stated = try RootOption.read(root)
      guard stated.realm == realm else {
        throw CommandFailure(
          "\(root) is another root than that of \(path).",
          advice: "Leave --root out, or name a configuration of that root.", code: .unusable)
      }
    }
    rules = configuration.ledgerRules
    app = configuration.apps.count == 1 ? configuration.apps.first?.bundleId : nil
  }
}
