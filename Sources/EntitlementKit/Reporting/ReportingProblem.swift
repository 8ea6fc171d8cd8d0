/// Why the server does not take what the app reports, although something answers.
///
/// Nothing that waits is lost by it, and no answer about a right changes. The cases stand in order of
/// precedence.
public enum ReportingProblem: Error, Hashable, Sendable {
  /// The publishable key may not report this: the server's code, or the status of HTTP.
  case keyRefused(String)
  /// Nothing takes reports at the address: the server's code, or the status of HTTP.
  case wrongAddress(String)
  /// The address names a host that is not known here.
  case unknownHost
  /// Something else than the server answers, such as a proxy, or a network that wants a sign-in first:
  /// the status of HTTP.
  case strangeAnswer(String)
  /// One signed text by itself is over a limit on the way.
  case tooLarge
  /// The server refuses a signed text: its rule or code.
  case textRefused(String)

  /// Whether it may pass without a new version of the app, or a change of the server.
  public var isTransient: Bool {
    switch self {
    case .unknownHost, .strangeAnswer: true
    case .keyRefused, .wrongAddress, .tooLarge, .textRefused: false
    }
  }

  /// What the developer should do next.
  public var advice: String {
    switch self {
    case .keyRefused("environmentForbidden"):
      "Sandbox and Production need a key each: state them as publishableKey and sandboxKey."
    case .keyRefused("appForbidden"):
      "Make a key for this app: clawback keys create NAME --scope device --app BUNDLE-ID."
    case .keyRefused:
      "Ship a key of the scope device that the server lists: clawback keys create, keys list."
    case .wrongAddress:
      "Ship the server's own address, such as https://clawback.example.com, without a path."
    case .unknownHost: "Look whether the address is spelled right, and the device online."
    case .strangeAnswer:
      "Open the address in a browser: the server itself should answer, and without a redirect."
    case .tooLarge: "Let whatever stands before the server pass bodies of at least 1 MiB."
    case .textRefused:
      "Look at the server's configuration: its apps, its environments and the root it trusts."
    }
  }
}

extension ReportingProblem: CustomStringConvertible {
  /// Safe to log.
  public var description: String {
    switch self {
    case .keyRefused(let code): "the server refuses the publishable key: \(code)"
    case .wrongAddress(let code): "nothing takes reports at the server's address: \(code)"
    case .unknownHost: "the host of the server's address is not known"
    case .strangeAnswer(let code): "something else than the server answers: \(code)"
    case .tooLarge: "a signed text is larger than what the way to the server lets pass"
    case .textRefused(let reason): "the server refuses a signed text: \(reason)"
    }
  }
}
