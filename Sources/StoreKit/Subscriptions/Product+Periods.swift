public import Foundation

extension Product {
  public var priceFormatStyle: Decimal.FormatStyle.Currency {
    Decimal.FormatStyle.Currency(code: "USD", locale: Locale(identifier: "en_US"))
  }
}

extension Product.SubscriptionPeriod {
  public static var weekly: Product.SubscriptionPeriod { .init(unit: .week, value: 1) }
  public static var monthly: Product.SubscriptionPeriod { .init(unit: .month, value: 1) }
  public static var yearly: Product.SubscriptionPeriod { .init(unit: .year, value: 1) }
  public static var everyThreeDays: Product.SubscriptionPeriod { .init(unit: .day, value: 3) }
  public static var everyTwoWeeks: Product.SubscriptionPeriod { .init(unit: .week, value: 2) }
  public static var everyTwoMonths: Product.SubscriptionPeriod { .init(unit: .month, value: 2) }
  public static var everyThreeMonths: Product.SubscriptionPeriod { .init(unit: .month, value: 3) }
  public static var everySixMonths: Product.SubscriptionPeriod { .init(unit: .month, value: 6) }

  public func dateRange(referenceDate: Date = Date()) -> Range<Date> {
    let component: Calendar.Component =
      switch unit {
      case .day, .week: .day
      case .month: .month
      case .year: .year
      }
    let count = unit == .week ? value * 7 : value
    let end = Calendar(identifier: .gregorian).date(
      byAdding: component, value: count, to: referenceDate)
    return referenceDate..<max(end ?? referenceDate, referenceDate)
  }
}

extension Product.SubscriptionPeriod.Unit: Comparable {
  public static func < (
    lhs: Product.SubscriptionPeriod.Unit, rhs: Product.SubscriptionPeriod.Unit
  ) -> Bool {
    lhs.rank < rhs.rank
  }

  private var rank: Int {
    switch self {
    case .day: 0
    case .week: 1
    case .month: 2
    case .year: 3
    }
  }
}
