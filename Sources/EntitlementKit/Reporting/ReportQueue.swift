import AppStoreModel

/// What is still to be told to the server, and when to try: the pure half of reporting.
package struct ReportQueue: Hashable, Sendable {
  /// A signed text, by what it is.
  package enum Text: Hashable, Sendable {
    case transaction(String)
    case renewal(String)
  }

  /// The server takes so many in one request.
  package static let greatestBatch = 100
  /// When there are more, the oldest texts go: first of those that were refused.
  package static let greatestLength = 1_000

  /// What stands in the developer's way; absent while reports arrive, or the server is only down.
  package internal(set) var problem: ReportingProblem?

  var texts: [Text] = []
  /// Refused one by one; this run asks no more, and the next begins anew.
  var held: [Text] = []
  var reasonOfHeld: ReportingProblem?
  var known: Set<Text> = []
  /// How often nothing was taken since something was.
  var failures = 0
  /// How many single texts were refused since something was taken.
  var refusals = 0
  var batchLength = ReportQueue.greatestBatch

  package init() {}

  /// Reads what an earlier run left; lines of another form are left out.
  package init(_ bytes: [UInt8]) {
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      if let text = Text(line) { _ = add(text) }
    }
  }

  package func bytes() -> [UInt8] {
    Array((texts + held).map(\.line).joined(separator: "\n").utf8)
  }

  /// How many wait, for the server or for the next launch.
  package var count: Int { texts.count + held.count }

  /// The oldest, as far as they were sold in the same place: each place has a key of its own.
  package var nextBatch: [Text]? {
    guard let place = texts.first?.isFromSandbox else { return nil }
    return Array(texts.prefix(batchLength).prefix { $0.isFromSandbox == place })
  }

  /// Whether the text was not in the queue.
  package mutating func add(_ text: Text) -> Bool {
    guard known.insert(text).inserted else { return false }
    texts.append(text)
    if count > Self.greatestLength {
      known.remove(held.isEmpty ? texts.removeFirst() : held.removeFirst())
    }
    return true
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
      writer.member("appVersion", appVersion.flatMap(stated))
    }
    return writer.bytes
  }

  /// The order in which a request holds them, and its answer speaks of them.
  static func inOrder(_ batch: [Text]) -> [Text] {
    batch.filter(\.isTransaction) + batch.filter { !$0.isTransaction }
  }

  /// A version that the server would refuse is left out, so that it keeps no report from arriving.
  private static func stated(_ version: String) -> String? {
    let isPlain = version.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
    return isPlain && version.utf8.count <= 50 ? version : nil
  }
}

extension ReportQueue.Text {
  /// What there is to report of a transaction: nothing of what a developer's own machine has signed,
  /// which no server takes.
  static func texts(of item: StoreTransaction) -> [ReportQueue.Text] {
    switch item.payload?.environment {
    case .xcode, .localTesting: []
    default: [.transaction(item.jws)]
    }
  }

  /// What stands beside a state, as far as StoreKit has verified it.
  static func texts(of status: StoreStatus) -> [ReportQueue.Text] {
    let transaction = texts(of: status.transaction)
    guard !transaction.isEmpty, let renewal = status.renewal, renewal.failure == nil else {
      return transaction
    }
    return transaction + [.renewal(renewal.jws)]
  }

  /// Whether the text itself says that the sandbox signed it.
  var isFromSandbox: Bool {
    let json = SignedPayload.json(of: jws).flatMap { try? JSONValue(json: $0) }
    return json?["environment"]?.string == AppStoreEnvironment.sandbox.rawValue
  }

  private var jws: String {
    switch self {
    case .transaction(let jws), .renewal(let jws): jws
    }
  }

  var isTransaction: Bool {
    if case .transaction = self { true } else { false }
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
