import AppStoreModel
import AppStoreServerAPI

/// A request that carries a delivery.
struct Dispatch: Sendable {
  let target: TargetURL
  /// Shape: header lines without their ends.
  let headers: [String]
  let body: [UInt8]
}

/// What came back.
struct DispatchAnswer: Hashable, Sendable {
  /// Why no answer counts.
  enum Failure: String, Hashable, Sendable, CaseIterable {
    /// Every address that the name stands for is one that deliveries do not go to.
    case forbiddenAddress
    case noConnection
    case timedOut
    /// The certificate's time is over, or has not begun.
    case certificateExpired
    /// The certificate is for another name.
    case certificateName
    /// No certificate that is trusted vouches for the receiver's: it is self-signed, or of an authority
    /// that this machine does not know.
    case certificateUntrusted
    /// No TLS came about.
    case insecure
    /// The connection ended in the middle.
    case broken
    /// The address is not among those the configuration allows any more.
    case refusedURL
  }

  let status: Int?
  let failure: Failure?
  /// Shape: as the receiver sent it.
  let retryAfter: String?
  let took: TimeSpan

  init(
    status: Int? = nil, failure: Failure? = nil, retryAfter: String? = nil, took: TimeSpan = .zero
  ) {
    self.status = status
    self.failure = failure
    self.retryAfter = retryAfter
    self.took = took
  }

  /// A delivery counts as received when the whole answer came and said so.
  var isSuccess: Bool { failure == nil && (200...299).contains(status ?? 0) }
  /// The receiver is gone for good.
  var isGone: Bool { failure == nil && status == 410 }

  /// The wait that the receiver asked for, where it counts.
  func wait(at now: Timestamp) -> TimeSpan? {
    guard status == 429 || status == 503, let retryAfter else { return nil }
    if let seconds = Int64(retryAfter) {
      return seconds >= 0 ? .seconds(min(seconds, 1_000_000)) : nil
    }
    guard let moment = HTTPDate.moment(retryAfter), moment > now else { return nil }
    return TimeSpan(
      milliseconds: moment.millisecondsSince1970 - now.millisecondsSince1970)
  }
}

/// Sends requests.
protocol DispatchWire: Sendable {
  /// Begins; `completion` is called once, from another thread.
  func send(_ dispatch: Dispatch, completion: @escaping @Sendable (DispatchAnswer) -> Void)

  /// Ends what is under way and waits for it; its completions are not called.
  func close()
}
