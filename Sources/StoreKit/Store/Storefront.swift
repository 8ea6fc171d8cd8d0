public import Foundation

/// Apple's `Storefront`; like Apple's it is not `Equatable`.
public struct Storefront: Identifiable, Sendable {
  public typealias ID = String

  /// Shape: an ISO 3166-1 alpha-3 code.
  public let countryCode: String
  public let id: String
  public var currency: Locale.Currency? { nil }

  init(id: String, countryCode: String) {
    self.id = id
    self.countryCode = countryCode
  }

  public static var current: Storefront? {
    get async {
      await StandIn.device?.storefront().map { Storefront(id: $0.id, countryCode: $0.countryCode) }
    }
  }

  /// Apple's `Storefront.Storefronts`.
  public struct Storefronts: AsyncSequence, Sendable {
    public typealias Element = Storefront

    /// Apple's iterator: nothing is announced here.
    public struct AsyncIterator: AsyncIteratorProtocol {
      init() {}

      public mutating func next() async -> Storefront? { nil }
    }

    public func makeAsyncIterator() -> Storefront.Storefronts.AsyncIterator { AsyncIterator() }
  }

  public static var updates: Storefront.Storefronts { Storefronts() }
}
