import AppStoreModel

/// How a purchase grants, by its type and what it carries.
enum PurchaseKind: Hashable {
  /// From one date to another, and the later replaces the earlier.
  case period(expiresDate: Timestamp)
  case owned
  /// For the length that the catalog states; `nil` where it states none.
  case term(TimeSpan?)
  case consumable
  case unknown

  init(_ copy: TransactionCopy, _ entry: CatalogEntry?) {
    switch copy.type?.known ?? entry?.typeHint ?? copy.type {
    case .nonConsumable: self = .owned
    case .consumable: self = .consumable
    case .nonRenewingSubscription: self = .term(entry?.length)
    case .autoRenewableSubscription, .unknown, nil:
      self = copy.expiresDate.map { .period(expiresDate: $0) } ?? .unknown
    }
  }
}

extension ProductType {
  fileprivate var known: ProductType? {
    if case .unknown = self { nil } else { self }
  }
}
