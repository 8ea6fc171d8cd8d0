package import AppStoreModel

/// What is still to be told to the server, and when to try: the pure half of reporting.
package struct ReportQueue: Hashable, Sendable {
  /// A signed text, by what it is.
  package enum Text: Hashable, Sendable {
    case transaction(String)
    case renewal(String)
  }

  /// What became of a batch.
  package enum Outcome: Hashable, Sendable {
    /// The server has it.
    case taken
    /// It will never take it in this form: each half is tried by itself, down to a single text, which
    /// is given up.
    case refused
    /// It could not be reached, or asked to wait.
    case failed(retryAfter: TimeSpan?)
  }

  /// The server takes so many in one request.
  package static let greatestBatch = 100
  /// The oldest texts go when there are more.
  package static let greatestLength = 1_000

  private var texts: [Text] = []
  private var known: Set<Text> = []
  private var failures = 0
  private var batchLength = ReportQueue.greatestBatch

  package init() {}

  /// Reads what an earlier run left; lines of another form are left out.
  package init(_ bytes: [UInt8]) {
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      if let text = Text(line) { _ = add(text) }
    }
  }

  package func bytes() -> [UInt8] { Array(texts.map(\.line).joined(separator: "\n").utf8) }

  package var count: Int { texts.count }

  package var nextBatch: [Text]? {
    texts.isEmpty ? nil : Array(texts.prefix(batchLength))
  }

  /// Whether the text was not in the queue.
  package mutating func add(_ text: Text) -> Bool {
    guard known.insert(text).inserted else { return false }
    texts.append(text)
    if texts.count > Self.greatestLength { known.remove(texts.removeFirst()) }
    return true
  }

  /// Notes what became of a batch.
  ///
  /// - Returns: How long to wait before the next; `nil` for no wait.
  package mutating func settle(_ batch: [Text], _ outcome: Outcome) -> TimeSpan? {
    switch outcome {
    case .taken:
      remove(batch)
      batchLength = min(Self.greatestBatch, batchLength * 2)
      return nil
    case .refused where batch.count > 1:
      batchLength = batch.count / 2
      return nil
    case .refused:
      remove(batch)
      return nil
    case .failed(let retryAfter):
      failures += 1
      return max(retryAfter ?? .zero, Self.backOff(failures))
    }
  }

  private mutating func remove(_ batch: [Text]) {
    let settled = Set(batch)
    texts.removeAll(where: settled.contains)
    known.subtract(settled)
    failures = 0
  }

  /// Two seconds, doubled with each failure, an hour at most.
  package static func backOff(_ failures: Int) -> TimeSpan {
    min(.hours(1), .seconds(1 << Int64(min(max(failures, 1), 12))))
  }

  /// The body of one request.
  package static func body(_ batch: [Text], appVersion: String?) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.name("signedTransactions")
      writer.array { writer in
        for case .transaction(let jws) in batch { writer.string(jws) }
      }
      writer.name("signedRenewals")
      writer.array { writer in
        for case .renewal(let jws) in batch { writer.string(jws) }
      }
      writer.member("appVersion", appVersion)
    }
    return writer.bytes
  }
}

extension ReportQueue.Text {
  /// What stands beside a state, as far as StoreKit has verified it.
  static func texts(of status: StoreStatus) -> [ReportQueue.Text] {
    let renewal = status.renewal.flatMap { $0.failure == nil ? $0.jws : nil }
    return [.transaction(status.transaction.jws)] + (renewal.map { [.renewal($0)] } ?? [])
  }

  /// Shape: a letter for the kind, a space, the JWS.
  var line: String {
    switch self {
    case .transaction(let jws): "t " + jws
    case .renewal(let jws): "r " + jws
    }
  }

  init?(_ line: Substring) {
    let jws = String(line.dropFirst(2))
    guard jws.split(separator: ".", omittingEmptySubsequences: false).count == 3 else {
      return nil
    }
    switch line.prefix(2) {
    case "t ": self = .transaction(jws)
    case "r ": self = .renewal(jws)
    default: return nil
    }
  }
}
