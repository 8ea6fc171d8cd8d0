public import AppStoreModel
import JSON5

extension Configuration {
  /// How events are kept and streamed.
  public struct Events: Hashable, Sendable {
    /// How long at least an event can be read.
    public var kept = TimeSpan.days(365)
    /// After how long a silent stream shows that it lives.
    public var heartbeat = TimeSpan.seconds(15)

    public init() {}
  }
}

extension Configuration.Events {
  init(_ file: JSON5Object) throws(JSON5Error) {
    self.init()
    try file.allow(only: ["keptDays", "heartbeatSeconds"])
    if let days = try file.integer("keptDays", in: 7...36_500) { kept = .days(days) }
    if let seconds = try file.integer("heartbeatSeconds", in: 1...300) {
      heartbeat = .seconds(seconds)
    }
  }
}
