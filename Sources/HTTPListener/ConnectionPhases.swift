import AppStoreModel

/// How far each connection is, and since when: libmicrohttpd has only a time-out for inactivity, which
/// a client that drips a byte a second never meets.
struct ConnectionPhases {
  enum Phase {
    /// Connected, or between two requests.
    case idle
    case header
    case body
    /// Being answered; a handler may take as long as its own limits allow.
    case working
    case writing
    /// An answer that comes over time has nothing to send.
    case streaming
  }

  private struct Entry {
    var phase: Phase
    var since: Int64
    var isFirstRequest: Bool
  }

  private var entries: [Int32: Entry] = [:]

  var count: Int { entries.count }

  mutating func open(_ socket: Int32, at now: Int64) {
    entries[socket] = Entry(phase: .idle, since: now, isFirstRequest: true)
  }

  mutating func close(_ socket: Int32) {
    entries[socket] = nil
  }

  mutating func move(_ socket: Int32, to phase: Phase, at now: Int64) {
    entries[socket]?.phase = phase
    entries[socket]?.since = now
    if phase != .idle { entries[socket]?.isFirstRequest = false }
  }

  /// The sockets whose time is over.
  func overdue(at now: Int64, _ limits: HTTPLimits) -> [Int32] {
    entries.filter { socket, entry in
      guard let limit = limit(of: entry, limits) else { return false }
      return now - entry.since > limit.milliseconds
    }.map(\.key)
  }

  private func limit(of entry: Entry, _ limits: HTTPLimits) -> TimeSpan? {
    switch entry.phase {
    case .idle: entry.isFirstRequest ? limits.headerTime : limits.idleTime
    case .header: limits.headerTime
    case .body: limits.bodyTime
    case .working, .streaming: nil
    case .writing: limits.writeTime
    }
  }
}
