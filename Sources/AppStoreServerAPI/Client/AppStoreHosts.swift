import AppStoreVerification

/// Where the two App Stores are asked.
public struct AppStoreHosts: Hashable, Sendable {
  public static let apple = AppStoreHosts(
    "https://api.storekit.apple.com", "https://api.storekit-sandbox.apple.com")

  /// Shape: without a slash at the end.
  public let production: String
  public let sandbox: String

  private init(_ production: String, _ sandbox: String) {
    self.production = production
    self.sandbox = sandbox
  }

  /// Other addresses, such as those of a simulated App Store.
  ///
  /// Shape: `https`, or `http` on this machine; a host, perhaps a port and a path, nothing else.
  ///
  /// Errors: ``ClientSetupError/badAddress(_:)``, because a token sent elsewhere is a token given away.
  public init(production: String, sandbox: String) throws(ClientSetupError) {
    self.init(try Self.checked(production), try Self.checked(sandbox))
  }

  func base(_ environment: ServerEnvironment) -> String {
    environment == .production ? production : sandbox
  }

  private static func checked(_ url: String) throws(ClientSetupError) -> String {
    let isSecure = url.hasPrefix("https://")
    guard isSecure || url.hasPrefix("http://") else { throw .badAddress(url) }
    let rest = url.dropFirst(isSecure ? 8 : 7)
    let authority = rest.prefix { $0 != "/" }
    let isPlainText = rest.utf8.allSatisfy {
      (0x21...0x7E).contains($0) && !"@?#\\\"".utf8.contains($0)
    }
    guard isPlainText, !authority.isEmpty, authority.first != ":",
      isSecure || isLoopback(authority)
    else { throw .badAddress(url) }
    var address = url
    while address.hasSuffix("/") { address.removeLast() }
    return address
  }

  private static func isLoopback(_ authority: Substring) -> Bool {
    if authority.hasPrefix("[") { return authority == "[::1]" || authority.hasPrefix("[::1]:") }
    let host = authority.prefix { $0 != ":" }
    let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
    return host == "localhost"
      || numbers.count == 4 && numbers[0] == "127" && numbers.allSatisfy { UInt8($0) != nil }
  }
}
