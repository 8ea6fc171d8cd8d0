/// Why a client cannot be made.
public enum ClientSetupError: Error, Hashable, Sendable {
  /// An address that is neither `https` nor `http` on this machine: as it was written.
  case badAddress(String)
  /// A part of the credentials is empty: its name.
  case emptyCredential(String)
  /// libcurl cannot be used.
  case transportUnavailable
}

extension ClientSetupError {
  /// Always false.
  public var isTransient: Bool { false }

  /// What the operator should do next.
  public var advice: String {
    switch self {
    case .badAddress: "Write https://host, or http://127.0.0.1:port for a simulated App Store."
    case .emptyCredential(let name): "Copy \(name) from App Store Connect."
    case .transportUnavailable: "Check the installation of libcurl."
    }
  }
}

extension ClientSetupError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .badAddress(let address): "\"\(address)\" is no address of an App Store"
    case .emptyCredential(let name): "\(name) is empty"
    case .transportUnavailable: "libcurl cannot be used"
    }
  }
}
