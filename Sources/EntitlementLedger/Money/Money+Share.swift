package import AppStoreModel

extension Money {
  /// The part of an amount that a share stands for, rounded half to even to one milliunit.
  ///
  /// - Parameter share: How much of it.
  /// - Returns: Exact at any amount: the product is taken at double width.
  package func part(_ share: RevokedShare) -> Money {
    let whole = UInt64(RevokedShare.whole.percentMilliunits)
    let product = milliunits.magnitude.multipliedFullWidth(by: UInt64(share.percentMilliunits))
    var (quotient, remainder) = whole.dividingFullWidth(product)
    let isUp = remainder * 2 > whole || (remainder * 2 == whole && quotient % 2 == 1)
    if isUp { quotient += 1 }
    let amount = Int64(clamping: quotient)
    return Money(milliunits: milliunits < 0 ? -amount : amount, currency: currency)
  }
}
