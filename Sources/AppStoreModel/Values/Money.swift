/// An amount in one currency.
///
/// Unit: milliunits, a thousandth of the currency's main unit, whatever its own decimals:
/// `4_990` USD is 4.99 dollars, `500_000` JPY is 500 yen.
///
/// Source: `price` of Apple's `JWSTransactionDecodedPayload`.
public struct Money: Hashable, Sendable {
  public let milliunits: Int64
  public let currency: Currency

  public init(milliunits: Int64, currency: Currency) {
    self.milliunits = milliunits
    self.currency = currency
  }
}
