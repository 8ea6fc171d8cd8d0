/// Why there is no whole answer.
public enum TransportFailure: Error, Hashable, Sendable {
  case cancelled
  /// The HTTP library cannot be used.
  case unavailable
  /// The name could not be resolved, or nobody took the connection: the words of libcurl.
  case noConnection(String)
  /// The certificate or the handshake was refused: the words of libcurl.
  case insecure(String)
  case timedOut
  /// The answer is longer than allowed.
  case tooLarge
  /// The connection ended too early, or what came is no HTTP: the words of libcurl.
  case broken(String)
}

extension TransportFailure {
  /// Whether the request may have arrived.
  public var mayHaveArrived: Bool {
    switch self {
    case .unavailable, .noConnection, .insecure: false
    case .cancelled, .timedOut, .tooLarge, .broken: true
    }
  }

  /// Whether another try may succeed.
  public var isTransient: Bool {
    self != .cancelled && self != .unavailable
  }

  /// What the operator should do next.
  public var advice: String {
    switch self {
    case .cancelled: "Ask again if the answer is still wanted."
    case .unavailable: "Check the installation of libcurl."
    case .noConnection: "Check name resolution and the firewall between this machine and Apple."
    case .insecure: "Check this machine's clock and certificate bundle, and for a proxy in between."
    case .timedOut, .broken: "Ask again later; if it stays, check the network."
    case .tooLarge: "Look for a proxy between this machine and Apple."
    }
  }
}

extension TransportFailure: CustomStringConvertible {
  /// Safe to log.
  public var description: String {
    switch self {
    case .cancelled: "cancelled"
    case .unavailable: "libcurl cannot be used"
    case .noConnection(let words): "no connection: \(words)"
    case .insecure(let words): "no secure connection: \(words)"
    case .timedOut: "no answer in time"
    case .tooLarge: "the answer is too long"
    case .broken(let words): "the connection broke: \(words)"
    }
  }
}
