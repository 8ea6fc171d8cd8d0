/// Apple's `Message`: a sheet that the App Store wants to show over the app.
///
/// Source: Apple's documentation of `Message`.
public struct Message: Sendable {
  /// Apple's `Message.Reason`.
  public struct Reason: RawRepresentable, Equatable, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    // Apple publishes no numbers: these are ours.
    public static let generic: Message.Reason = .init(rawValue: 0)
    public static let priceIncreaseConsent: Message.Reason = .init(rawValue: 1)
    public static let billingIssue: Message.Reason = .init(rawValue: 2)
    public static let winBackOffer: Message.Reason = .init(rawValue: 3)
  }

  /// Apple's `Message.Messages`.
  public struct Messages: AsyncSequence, Sendable {
    public typealias Element = Message

    /// Apple's iterator.
    public struct AsyncIterator: AsyncIteratorProtocol {
      private var messages = StandIn.device?.messages().makeAsyncIterator()

      init() {}

      public mutating func next() async -> Message? {
        await messages?.next().map { Message(reason: Reason(rawValue: $0)) }
      }
    }

    public func makeAsyncIterator() -> Message.Messages.AsyncIterator { AsyncIterator() }
  }

  public let reason: Message.Reason

  init(reason: Message.Reason) { self.reason = reason }

  public static var messages: Message.Messages { Messages() }
}

extension Message.Reason {
  public var localizedDescription: String { "message reason \(rawValue)" }
}
