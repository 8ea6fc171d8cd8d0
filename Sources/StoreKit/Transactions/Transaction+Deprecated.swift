extension Transaction {
  // Each reads one member of the signed JSON, on every system since iOS 15.

  public var revocationTypeStringRepresentation: String? { text("revocationType") }

  public var environmentStringRepresentation: String { text("environment") ?? "" }

  public var reasonStringRepresentation: String { text("transactionReason") ?? "PURCHASE" }

  public var storefrontCountryCode: String { text("storefront") ?? "" }

  public var currencyCode: String? { text("currency") }

  public var offerID: String? { text("offerIdentifier") }

  public var offerType: Transaction.OfferType? {
    SignedJSON(data: jsonRepresentation).number("offerType").map { OfferType(rawValue: Int($0)) }
  }

  public var offerPaymentModeStringRepresentation: String? { text("offerDiscountType") }

  public var offerPeriodStringRepresentation: String? { text("offerPeriod") }

  private func text(_ name: String) -> String? {
    SignedJSON(data: jsonRepresentation).text(name)
  }
}
