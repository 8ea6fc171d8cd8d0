/// Gives every mark a number, so that many groups are compared quickly.
struct FaultMarks {
  /// Marks by their numbers; -1 leaves one open.
  struct Key: Hashable {
    var product: Int32 = -1
    var version: Int32 = -1
    var storefront: Int32 = -1
    var week: Int32 = -1

    /// A version says most, then a product, a storefront and a week; two marks together say less than
    /// one alone that explains as much, and the whole app least.
    var rank: Int64 {
      let named = [version, product, storefront, week].map { $0 >= 0 }
      switch named.count(where: { $0 }) {
      case 0: return 5
      case 1: return Int64(named.firstIndex(of: true) ?? 0)
      default: return 4
      }
    }

    func contains(_ other: Key) -> Bool {
      (product < 0 || product == other.product) && (version < 0 || version == other.version)
        && (storefront < 0 || storefront == other.storefront) && (week < 0 || week == other.week)
    }

    /// The groups that name at most two of the marks.
    var groups: [Key] {
      [
        Key(), Key(product: product), Key(version: version), Key(storefront: storefront),
        Key(week: week), Key(product: product, version: version),
        Key(product: product, storefront: storefront), Key(product: product, week: week),
        Key(version: version, storefront: storefront), Key(version: version, week: week),
        Key(storefront: storefront, week: week),
      ]
    }
  }

  private var products = Numbers<String>()
  private var versions = Numbers<String?>()
  private var storefronts = Numbers<String?>()
  private var weeks = Numbers<UTCDay>()

  mutating func key(of cell: FaultCell) -> Key {
    Key(
      product: products.number(of: cell.productId), version: versions.number(of: cell.appVersion),
      storefront: storefronts.number(of: cell.storefront),
      week: weeks.number(of: cell.purchasedOn.monday))
  }

  /// `nil` for a group of which there is nothing.
  func key(of group: FaultGroup) -> Key? {
    guard let product = products.find(group.productId),
      let version = versions.find(group.appVersion),
      let storefront = storefronts.find(group.storefront),
      let week = weeks.find(group.purchaseWeek)
    else { return nil }
    return Key(product: product, version: version, storefront: storefront, week: week)
  }

  func group(of key: Key) -> FaultGroup {
    FaultGroup(
      productId: products.mark(key.product), appVersion: versions.mark(key.version),
      storefront: storefronts.mark(key.storefront), purchaseWeek: weeks.mark(key.week))
  }
}

/// Values in the order in which they were first met.
private struct Numbers<Value: Hashable & Sendable> {
  private var values: [Value] = []
  private var known: [Value: Int32] = [:]

  mutating func number(of value: Value) -> Int32 {
    if let known = known[value] { return known }
    let number = Int32(values.count)
    values.append(value)
    known[value] = number
    return number
  }

  func find(_ mark: FaultGroup.Mark<Value>) -> Int32? {
    switch mark {
    case .any: -1
    case .only(let value): known[value]
    }
  }

  func mark(_ number: Int32) -> FaultGroup.Mark<Value> {
    number < 0 ? .any : .only(values[Int(number)])
  }
}
