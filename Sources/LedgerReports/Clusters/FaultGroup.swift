/// Purchases that agree in one or two of their marks; in none, the whole app.
public struct FaultGroup: Hashable, Sendable {
  /// A mark that the group names, or leaves open.
  public enum Mark<Value: Hashable & Sendable>: Hashable, Sendable {
    case any
    case only(Value)

    func allows(_ value: Value) -> Bool {
      switch self {
      case .any: true
      case .only(let only): only == value
      }
    }
  }

  public let productId: Mark<String>
  /// `only(nil)` are the purchases whose version nobody stated.
  public let appVersion: Mark<String?>
  public let storefront: Mark<String?>
  /// The Monday that the week of purchase began on.
  public let purchaseWeek: Mark<UTCDay>

  public init(
    productId: Mark<String> = .any, appVersion: Mark<String?> = .any,
    storefront: Mark<String?> = .any, purchaseWeek: Mark<UTCDay> = .any
  ) {
    self.productId = productId
    self.appVersion = appVersion
    self.storefront = storefront
    self.purchaseWeek = purchaseWeek
  }

  public func contains(_ cell: FaultCell) -> Bool {
    productId.allows(cell.productId) && appVersion.allows(cell.appVersion)
      && storefront.allows(cell.storefront) && purchaseWeek.allows(cell.purchasedOn.monday)
  }

  /// What the group is called in a sentence.
  public var name: String {
    var words: [String] = []
    if case .only(let version) = appVersion { words.append("version \(version ?? "unknown")") }
    if case .only(let product) = productId { words.append("product \(product)") }
    if case .only(let storefront) = storefront {
      words.append("storefront \(storefront ?? "unknown")")
    }
    if case .only(let week) = purchaseWeek {
      words.append("purchases of the week from \(week.text)")
    }
    return words.isEmpty ? "the whole app" : words.joined(separator: ", ")
  }
}
