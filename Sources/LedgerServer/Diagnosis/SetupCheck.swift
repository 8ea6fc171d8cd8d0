package import AppStoreModel
package import AppStoreServerAPI
import AppStoreVerification
import Glibc
import HTTPListener

/// Checks what can be told from the configuration and this machine alone.
package struct SetupCheck {
  private let configuration: Configuration
  private let now: Timestamp

  package init(_ configuration: Configuration, now: Timestamp) {
    self.configuration = configuration
    self.now = now
  }

  /// Apps and environments, root, address and certificate.
  package var findings: [Finding] {
    var findings = [apps, root] + [listener]
    if let certificate { findings.append(certificate) }
    return findings
  }

  private var apps: Finding {
    let names = configuration.apps.map(\.bundleId).joined(separator: ", ")
    let environments = configuration.environments.map(\.rawValue).sorted()
      .joined(separator: " and ")
    return Finding(.configuration, .ok, "It accepts \(names) in \(environments).")
  }

  private var root: Finding {
    let root: TrustedRoot
    do throws(ServiceError) {
      root = try configuration.trustedRoot()
      _ = try configuration.verifier()
    } catch {
      return Finding(.root, .failed, Finding.sentence(error.description), advice: error.advice)
    }
    let isApple = root.realm == .apple
    let text =
      (isApple ? "Apple's root" : "The root of a simulated App Store")
      + " is trusted, SHA-256 \(root.fingerprint)."
    if isApple == configuration.asksApple { return Finding(.root, .ok, text) }
    return Finding(
      .root, .warning, text,
      advice: isApple
        ? "appStoreServerAPI names another address than Apple's, and its root is not trusted."
        : "Give appStoreServerAPI the simulated App Store's address, or set root to \"apple\".")
  }

  private var listener: Finding {
    let listener = configuration.listener
    let place = "\(listener.host) port \(listener.port)"
    guard let address = BindAddress(host: listener.host, port: listener.port) else {
      let error = ServiceError.badAddress(host: listener.host)
      return Finding(.listener, .failed, Finding.sentence(error.description), advice: error.advice)
    }
    if listener.certificatePath != nil {
      return Finding(.listener, .ok, "It listens at \(place) with TLS.")
    }
    if address.isLoopback {
      return Finding(
        .listener, .ok, "It listens at \(place); a proxy with TLS has to pass Apple's posts on.")
    }
    if listener.allowsPlainPublic {
      return Finding(
        .listener, .ok, "It listens at \(place) without TLS, as allowed for a proxy in front.")
    }
    let error = ServiceError.plainPublicAddress(host: listener.host)
    return Finding(.listener, .failed, Finding.sentence(error.description), advice: error.advice)
  }

  private var certificate: Finding? {
    do throws(ServiceError) {
      return try TLSFiles(configuration.listener).map { (files) throws(ServiceError) in
        Finding(try files.lifetime(at: now))
      }
    } catch {
      return Finding(
        .certificate, .failed, Finding.sentence(error.description), advice: error.advice)
    }
  }
}

extension Configuration {
  /// Whether Apple itself is asked, and no simulated App Store.
  fileprivate var asksApple: Bool {
    appStoreServerAPI.productionURL == nil && appStoreServerAPI.sandboxURL == nil
  }
}

extension SetupCheck {
  /// Reads an app's key for Apple's API.
  package func key(of app: Configuration.App) -> (finding: Finding, credentials: AppCredentials?) {
    guard let stated = app.appStoreConnect else {
      let finding = Finding(
        .key, .skipped, about: app.bundleId, "No key is configured, so Apple cannot be asked.",
        advice: "Add appStoreConnect to the app; 'clawback init' explains it.")
      return (finding, nil)
    }
    do throws(ServiceError) {
      let text = try Configuration.file(stated.keyPath)
      return read(text, stated, app)
    } catch {
      return (
        Finding(
          .key, .failed, about: app.bundleId, Finding.sentence(error.description),
          advice: error.advice), nil
      )
    }
  }

  private func read(
    _ text: [UInt8], _ stated: Configuration.AppStoreConnectKey, _ app: Configuration.App
  ) -> (finding: Finding, credentials: AppCredentials?) {
    do throws(SigningKeyError) {
      let credentials = AppCredentials(
        bundleId: app.bundleId, issuerId: stated.issuerId, keyId: stated.keyId,
        key: try SigningKey(p8: text))
      guard Self.isPrivate(stated.keyPath) else {
        let finding = Finding(
          .key, .warning, about: app.bundleId, "Other users of this machine may read the key file.",
          advice: "chmod 600 \(stated.keyPath)")
        return (finding, credentials)
      }
      return (
        Finding(
          .key, .ok, about: app.bundleId, "The key file holds a private key on P-256."),
        credentials
      )
    } catch {
      let finding = Finding(
        .key, .failed, about: app.bundleId, Finding.sentence(error.description),
        advice: error.advice)
      return (finding, nil)
    }
  }

  private static func isPrivate(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & 0o077 == 0
  }
}
