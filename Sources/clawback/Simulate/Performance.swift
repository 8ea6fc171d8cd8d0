import AppStoreModel
import AppStoreSimulator

/// A story as it was played once: what there is to send, signed.
struct Performance {
  struct Message {
    let label: MessageLabel
    let expectation: Delivery.Expectation
    private let sign: () -> String

    /// Signed anew each time, to the same bytes: a long story does not fit twice into memory.
    var signedPayload: String { sign() }

    /// One that the story says.
    init(
      _ notification: UnsignedNotification, of store: SimulatedAppStore,
      signed sign: @escaping @autoclosure () -> String
    ) {
      label = MessageLabel(notification, of: store)
      expectation = Delivery.Expectation(of: notification)
      self.sign = sign
    }

    /// One that was recorded.
    init(recorded: Recording.Line) {
      label = MessageLabel(recorded: recorded.signedPayload)
      expectation = recorded.expectation
      sign = { recorded.signedPayload }
    }
  }

  struct Played {
    let store: SimulatedAppStore
    let faults: PlannedFaults
    let start: Timestamp
  }

  /// When stories end that are not sent: always the same, so that files are too.
  ///
  /// 2026-09-01T00:00:00Z.
  static let archiveEnd = Timestamp(millisecondsSince1970: 1_788_220_800_000)

  let name: String
  let seed: UInt64
  let root: [UInt8]
  let rootFingerprint: String
  let signer: JWSSigner
  /// What the story left behind and goes wrong in it; absent for a recording.
  let played: Played?
  let messages: [Message]

  init(
    _ scenario: Scenario, app: SimulatedApp, seed: UInt64, endingAt end: Timestamp,
    order: DeliveryOrder, repeats: Int
  ) throws {
    let authority = CertificateAuthority(seed: seed)
    let stage = try scenario.staged(app: app, seed: seed, endingAt: end)
    let signer = NotificationSigner(JWSSigner(authority))
    let told = stage.store.notifications.map { notification in
      Message(notification, of: stage.store, signed: signer.sign(notification))
    }
    self.init(
      scenario.name, authority, told, seed: seed, order, repeats,
      Played(store: stage.store, faults: scenario.faults, start: stage.start))
  }

  /// What was recorded, signed as it was then.
  init(recorded path: String, seed: UInt64, order: DeliveryOrder, repeats: Int) throws {
    let signed = try Recording.lines(of: path).map(Message.init(recorded:))
    self.init(path, CertificateAuthority(seed: seed), signed, seed: seed, order, repeats)
  }

  private init(
    _ name: String, _ authority: CertificateAuthority, _ signed: [Message], seed: UInt64,
    _ order: DeliveryOrder, _ repeats: Int, _ played: Played? = nil
  ) {
    signer = JWSSigner(authority)
    self.played = played
    self.name = name
    self.seed = seed
    root = authority.root.der
    rootFingerprint = authority.root.fingerprint
    messages = order.arrange((0..<repeats).flatMap { _ in signed }, seed: seed)
  }

  /// Shape: one JSON object with `signedPayload` each.
  var lines: some Sequence<String> {
    messages.lazy.map { "{\"signedPayload\":\"\($0.signedPayload)\"}" }
  }

  /// Shape: one sentence.
  var summary: String {
    let noun = messages.count == 1 ? "notification" : "notifications"
    return "\(name): \(messages.count) \(noun)."
  }
}
