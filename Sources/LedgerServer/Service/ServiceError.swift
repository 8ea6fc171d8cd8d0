import AppStoreVerification
import Glibc
import HTTPListener
import LedgerStorage

/// Why the server cannot start.
package enum ServiceError: Error, Sendable {
  /// A file that the configuration names cannot be read.
  case unreadableFile(path: String, detail: String)
  /// The root, the apps or the deny-list cannot be used.
  case configuration(detail: String, advice: String)
  /// A certificate or key file does not hold what TLS needs.
  case unusableIdentity(path: String, detail: String)
  case badAddress(host: String)
  /// Other machines could connect without TLS, and nobody said that this is meant.
  case plainPublicAddress(host: String)
  case addressUnavailable(host: String, port: UInt16, detail: String)
  case socketUnavailable(path: String, detail: String)
  case store(detail: String, advice: String)
  /// libcurl, which sends what goes out, cannot be used.
  case sendingUnavailable
}

extension ServiceError {
  /// Why an address could not be bound, as `errno` has it at the moment.
  static func unavailable(_ address: BindAddress) -> ServiceError {
    .addressUnavailable(
      host: address.host, port: address.port, detail: String(cString: strerror(errno)))
  }

  /// Whether what the configuration says is at fault, rather than the machine of the moment.
  package var isConfiguration: Bool {
    switch self {
    case .unreadableFile, .configuration, .unusableIdentity, .badAddress, .plainPublicAddress: true
    case .addressUnavailable, .socketUnavailable, .store, .sendingUnavailable: false
    }
  }

  /// What the operator should do next.
  package var advice: String {
    switch self {
    case .unreadableFile:
      "Check the path, which begins in the configuration file's folder, and its permissions."
    case .configuration(_, let advice), .store(_, let advice): advice
    case .unusableIdentity:
      "Give the server's certificate first and those that vouch for it after it, and its key."
    case .badAddress: "Write an IPv4 or IPv6 address, such as 127.0.0.1 or ::."
    case .plainPublicAddress:
      "Give certificate and key, bind a loopback address behind a proxy, or set allowPlainPublic."
    case .addressUnavailable: "Stop what listens there, or choose another port."
    case .sendingUnavailable: "Install libcurl 7.85 or newer with TLS."
    case .socketUnavailable: "Remove what stands at that path, or set another with socket."
    }
  }
}

extension ServiceError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unreadableFile(let path, let detail): "\(path) cannot be read: \(detail)"
    case .configuration(let detail, _): detail
    case .unusableIdentity(let path, let detail): "\(path) cannot be used for TLS: \(detail)"
    case .badAddress(let host): "\"\(host)\" is no address to listen at"
    case .plainPublicAddress(let host):
      "\(host) can be reached by other machines, and there is no TLS"
    case .addressUnavailable(let host, let port, let detail):
      "\(host) port \(port) cannot be bound: \(detail)"
    case .socketUnavailable(let path, let detail): "\(path) cannot be used: \(detail)"
    case .store(let detail, _): detail
    case .sendingUnavailable: "nothing can be sent: libcurl cannot be used"
    }
  }
}
