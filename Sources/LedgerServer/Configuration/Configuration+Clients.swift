import AppStoreModel
package import AppStoreServerAPI
import EntitlementLedger

extension Configuration {
  /// Where and how Apple is asked.
  package func clientSettings() throws(ClientSetupError) -> ClientSettings {
    var settings = ClientSettings()
    settings.hosts = try AppStoreHosts(
      production: appStoreServerAPI.productionURL ?? AppStoreHosts.apple.production,
      sandbox: appStoreServerAPI.sandboxURL ?? AppStoreHosts.apple.sandbox)
    return settings
  }

  /// A client for each app that has a key.
  package func appStoreClients(
    observe: @escaping @Sendable (ClientEvent) -> Void
  ) throws(ServiceError) -> [AppStoreServerClient] {
    var clients: [AppStoreServerClient] = []
    for app in apps {
      guard let stated = app.appStoreConnect else { continue }
      let key = try Configuration.signingKey(stated)
      let credentials = AppCredentials(
        bundleId: app.bundleId, issuerId: stated.issuerId, keyId: stated.keyId, key: key)
      clients.append(try client(credentials, observe))
    }
    return clients
  }

  private func client(
    _ credentials: AppCredentials, _ observe: @escaping @Sendable (ClientEvent) -> Void
  ) throws(ServiceError) -> AppStoreServerClient {
    do throws(ClientSetupError) {
      return try AppStoreServerClient(credentials, try clientSettings(), observe: observe)
    } catch {
      throw .configuration(detail: error.description, advice: error.advice)
    }
  }

  private static func signingKey(
    _ stated: AppStoreConnectKey
  ) throws(ServiceError) -> SigningKey {
    let text = try file(stated.keyPath)
    do throws(SigningKeyError) {
      return try SigningKey(p8: text)
    } catch {
      throw .configuration(detail: "\(stated.keyPath): \(error)", advice: error.advice)
    }
  }
}
