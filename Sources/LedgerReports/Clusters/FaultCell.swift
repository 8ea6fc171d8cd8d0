import AppStoreModel

/// What a purchase has in common with others that the same fault may have hit.
public struct FaultCell: Hashable, Sendable {
  public let productId: String
  /// The version of the app that first reported the purchase and said which it is; `nil` where none
  /// did: those are a group of their own, and no version is guessed.
  public let appVersion: String?
  public let storefront: String?
  public let purchasedOn: UTCDay

  public init(productId: String, appVersion: String?, storefront: String?, purchasedOn: UTCDay) {
    self.productId = productId
    self.appVersion = appVersion
    self.storefront = storefront
    self.purchasedOn = purchasedOn
  }
}

/// How many purchases a cell has.
public struct PurchaseCount: Hashable, Sendable {
  public let cell: FaultCell
  public let purchases: Int64

  public init(cell: FaultCell, purchases: Int64) {
    self.cell = cell
    self.purchases = purchases
  }
}

/// A refund for a fault of the app: Apple's revocation reason 1.
public struct FaultRefund: Hashable, Sendable {
  public let cell: FaultCell
  public let refundedOn: UTCDay

  public init(cell: FaultCell, refundedOn: UTCDay) {
    self.cell = cell
    self.refundedOn = refundedOn
  }

  /// In days.
  var age: Int64 { refundedOn.number - cell.purchasedOn.number }
}

extension UTCDay {
  /// The Monday of the week.
  public var monday: UTCDay { UTCDay(ReportPeriod.week.start(of: start)) }

  /// Shape: `2026-11-30`.
  public var text: String { String(start.rfc3339.prefix(10)) }
}
