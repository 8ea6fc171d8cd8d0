/// Apple's `PurchaseIntent`: the customer has begun to buy outside of the app.
///
/// Source: Apple's documentation of `PurchaseIntent`.
public struct PurchaseIntent: Equatable, Identifiable, Sendable {
  public typealias ID = Product.ID

  public let product: Product
  /// Apple's offer to redeem; the stand-in knows of none.
  public let offer: Product.SubscriptionOffer?
  public var id: Product.ID { product.id }

  init(_ record: ProductRecord) {
    product = Product(record)
    offer = nil
  }

  /// Apple's `PurchaseIntent.PurchaseIntents`.
  public struct PurchaseIntents: AsyncSequence {
    public typealias Element = PurchaseIntent

    /// Apple's iterator.
    public struct AsyncIterator: AsyncIteratorProtocol {
      private var intents = StandIn.device?.purchaseIntents().makeAsyncIterator()

      init() {}

      public mutating func next() async -> PurchaseIntent? {
        await intents?.next().map { PurchaseIntent($0) }
      }
    }

    public func makeAsyncIterator() -> PurchaseIntent.PurchaseIntents.AsyncIterator {
      AsyncIterator()
    }
  }

  public static var intents: PurchaseIntent.PurchaseIntents { PurchaseIntents() }
}
