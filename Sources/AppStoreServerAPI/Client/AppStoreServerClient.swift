package import AppStoreModel
public import AppStoreVerification
import Synchronization

/// Asks the App Store for one app.
///
/// Share one client between all workers that ask for the same app: they then share its rate budget,
/// its token and its connections.
public final class AppStoreServerClient: Sendable {
  let credentials: AppCredentials
  let settings: ClientSettings
  let clock: APIClock
  let mint: TokenMint
  let budget: CallBudget
  let transport: any HTTPTransport
  let verdicts = Mutex<[ServerEnvironment: Verdict]>([:])
  let lastSkew = Mutex<TimeSpan?>(nil)
  private let chance: Mutex<any RandomNumberGenerator & Sendable>
  private let observe: @Sendable (ClientEvent) -> Void

  /// What was found out about the key a moment ago.
  struct Verdict: Sendable {
    let unauthorized: Unauthorized
    let foundAt: Timestamp
  }

  /// Makes a client; nothing is sent yet.
  ///
  /// Errors: ``ClientSetupError``.
  public convenience init(
    _ credentials: AppCredentials, _ settings: ClientSettings = ClientSettings(),
    observe: @escaping @Sendable (ClientEvent) -> Void = { _ in }
  ) throws(ClientSetupError) {
    try self.init(credentials, settings, clock: .system, observe: observe)
  }

  /// The same by another clock than the system's.
  package convenience init(
    _ credentials: AppCredentials, _ settings: ClientSettings, clock: APIClock,
    observe: @escaping @Sendable (ClientEvent) -> Void = { _ in }
  ) throws(ClientSetupError) {
    let transport: CurlTransport
    do throws(TransportFailure) {
      transport = try CurlTransport(settings.transport)
    } catch {
      throw .transportUnavailable
    }
    try self.init(
      credentials, settings, transport, clock, SystemRandomNumberGenerator(), observe: observe)
  }

  init(
    _ credentials: AppCredentials, _ settings: ClientSettings, _ transport: any HTTPTransport,
    _ clock: APIClock, _ chance: any RandomNumberGenerator & Sendable,
    observe: @escaping @Sendable (ClientEvent) -> Void = { _ in }
  ) throws(ClientSetupError) {
    for (name, value) in [
      ("the bundle id", credentials.bundleId), ("the issuer id", credentials.issuerId),
      ("the key id", credentials.keyId),
    ] where value.isEmpty { throw .emptyCredential(name) }
    self.credentials = credentials
    self.settings = settings
    self.transport = transport
    self.clock = clock
    self.chance = Mutex(chance)
    self.observe = observe
    mint = TokenMint(credentials)
    budget = CallBudget(
      settings.limits, clock, mostRunning: settings.mostRunning, mostWaiting: settings.mostWaiting)
  }

  /// How far our clock is behind the App Store's, as tokens are corrected; negative when it is ahead.
  public var clockSkewMilliseconds: Int64 { mint.skew.milliseconds }

  /// How far our clock was behind the App Store's at its last answer, by that answer's `Date`; `nil`
  /// while there is none.
  package var observedSkew: TimeSpan? { lastSkew.withLock { $0 } }

  /// How busy one endpoint is.
  public func load(_ endpoint: Endpoint, in environment: ServerEnvironment) -> EndpointLoad {
    budget.load(CallBudget.Key(endpoint: endpoint, environment: environment))
  }

  func decide(
    _ body: (inout any RandomNumberGenerator & Sendable) -> sending NextStep
  ) -> NextStep {
    chance.withLock { body(&$0) }
  }

  func tell(_ kind: ClientEvent.Kind, _ key: CallBudget.Key) {
    observe(
      ClientEvent(
        bundleId: credentials.bundleId, endpoint: key.endpoint, environment: key.environment,
        kind: kind))
  }
}
