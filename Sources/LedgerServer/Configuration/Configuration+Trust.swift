import AppStoreModel
package import AppStoreVerification
import EntitlementLedger
import Glibc
package import LedgerStorage

extension Configuration {
  /// The root certificate, and with it the realm.
  package func trustedRoot() throws(ServiceError) -> TrustedRoot {
    switch root {
    case .apple: return .apple
    case .certificate(let bytes): return try Configuration.root(bytes)
    case .file(let path): return try Configuration.root(try Configuration.file(path))
    }
  }

  /// The verifier for these apps and environments.
  package func verifier() throws(ServiceError) -> SignedDataVerifier {
    let root = try trustedRoot()
    return try Configuration.checked { () throws(VerificationConfigurationError) in
      let allowed = try AllowedOrigins(
        apps: apps.map { ExpectedApp(bundleID: $0.bundleId, appAppleID: $0.appAppleId) },
        environments: Set(environments.compactMap { ServerEnvironment($0) }))
      let denied = try deniedLeafSerials.map { (word) throws(VerificationConfigurationError) in
        try CertificateSerial(configured: word)
      }
      return try SignedDataVerifier(
        roots: [root], allowed: allowed, deniedLeafSerials: Set(denied))
    }
  }

  /// Catalogs and policies, and a text that differs when they differ.
  package var ledgerRules: LedgerRules {
    var catalogs: [String: Catalog] = [:]
    var stated: [String: Policy] = [:]
    for app in apps {
      catalogs[app.bundleId] = Catalog(app.catalog)
      stated[app.bundleId] = Policy(policies)
    }
    let source = apps.map { "\($0.bundleId) \($0.catalog)" } + ["\(policies)"]
    return LedgerRules(
      catalogs: catalogs, policies: stated, source: Array(source.joined(separator: "\n").utf8))
  }

  /// A key or certificate that the configuration names: of 1 MiB at most, and never waited for.
  static func file(_ path: String) throws(ServiceError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw unreadable(path) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw unreadable(path) }
    guard [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) else {
      throw .unreadableFile(path: path, detail: "it is a pipe or a device")
    }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(descriptor, &piece, piece.count)
      guard count >= 0 else { throw unreadable(path) }
      if count == 0 { return bytes }
      bytes += piece[..<count]
      guard bytes.count <= 1 << 20 else {
        throw .unreadableFile(path: path, detail: "it is larger than 1 MiB")
      }
    }
  }

  private static func unreadable(_ path: String) -> ServiceError {
    .unreadableFile(path: path, detail: String(cString: strerror(errno)))
  }

  private static func root(_ bytes: [UInt8]) throws(ServiceError) -> TrustedRoot {
    try checked { () throws(VerificationConfigurationError) in
      try TrustedRoot(certificate: bytes)
    }
  }

  private static func checked<Value>(
    _ body: () throws(VerificationConfigurationError) -> Value
  ) throws(ServiceError) -> Value {
    do throws(VerificationConfigurationError) {
      return try body()
    } catch {
      throw .configuration(detail: error.description, advice: error.advice)
    }
  }
}
