package import AppStoreModel

/// A better price for a while.
package struct SimulatedOffer: Hashable, Sendable {
  package var type: OfferType
  /// Absent for an introductory offer, which has none.
  package var identifier: String?
  package var discount: OfferDiscountType?
  /// How long it lasts; absent for a one-time price.
  package var period: TimeSpan?
  /// Shape: an ISO 8601 duration.
  package var writtenPeriod: String?
  /// Unit: milliunits of the product's currency.
  package var milliunits: Int64

  package init(
    type: OfferType, identifier: String? = nil, discount: OfferDiscountType? = nil,
    period: TimeSpan? = nil, writtenPeriod: String? = nil, milliunits: Int64
  ) {
    self.type = type
    self.identifier = identifier
    self.discount = discount
    self.period = period
    self.writtenPeriod = writtenPeriod
    self.milliunits = milliunits
  }

  /// A week for nothing.
  package static let freeWeek = SimulatedOffer(
    type: .introductory, discount: .freeTrial, period: .days(7), writtenPeriod: "P1W",
    milliunits: 0)

  /// A month at half the price, to come back.
  package static let winBack = SimulatedOffer(
    type: .winBack, identifier: "come-back", discount: .payAsYouGo, period: .days(30),
    writtenPeriod: "P1M", milliunits: 4_990)

  /// A month at half the price, for somebody who subscribes already.
  package static let loyalty = SimulatedOffer(
    type: .promotional, identifier: "loyalty", discount: .payAsYouGo, period: .days(30),
    writtenPeriod: "P1M", milliunits: 4_990)

  /// A one-time price for a lasting purchase.
  package static let firstTheme = SimulatedOffer(
    type: .offerCode, identifier: "first-theme", discount: .oneTime, milliunits: 2_990)
}
