extension Product {
  /// Apple's `Product.PromotionInfo`: where a product stands on the App Store's page of the app.
  ///
  /// Source: Apple's documentation of `Product.PromotionInfo`.
  public struct PromotionInfo: Equatable {
    /// Apple's `Product.PromotionInfo.Visibility`.
    public enum Visibility: Equatable, Hashable {
      case appStoreConnectDefault
      case visible
      case hidden

      init(_ isVisible: Bool?) {
        self = isVisible.map { $0 ? .visible : .hidden } ?? .appStoreConnectDefault
      }

      var isVisible: Bool? { self == .appStoreConnectDefault ? nil : self == .visible }
    }

    public let productID: Product.ID
    public var visibility: Product.PromotionInfo.Visibility

    init(_ record: PromotionRecord) {
      productID = record.productID
      visibility = Visibility(record.isVisible)
    }

    private var record: PromotionRecord {
      PromotionRecord(productID: productID, isVisible: visibility.isVisible)
    }

    public static var currentOrder: [Product.PromotionInfo] {
      get async throws { try await StandIn.device?.promotions().map { PromotionInfo($0) } ?? [] }
    }

    public static func updateProductOrder(byID order: some Collection<String>) async throws {
      let known = try await currentOrder
      try await promote(
        order.map { id in
          known.first { $0.productID == id }?.record
            ?? PromotionRecord(productID: id, isVisible: nil)
        })
    }

    public static func updateProductVisibility(
      _ visibility: Product.PromotionInfo.Visibility, for productID: Product.ID
    ) async throws {
      var records = try await currentOrder.map(\.record)
      let changed = PromotionRecord(productID: productID, isVisible: visibility.isVisible)
      if let place = records.firstIndex(where: { $0.productID == productID }) {
        records[place] = changed
      } else {
        records.append(changed)
      }
      try await promote(records)
    }

    public static func updateAll(
      _ promotions: some Collection<Product.PromotionInfo>
    ) async throws {
      try await promote(promotions.map(\.record))
    }

    public func update() async throws {
      try await Self.updateProductVisibility(visibility, for: productID)
    }

    private static func promote(_ records: [PromotionRecord]) async throws {
      try await StandIn.device?.promote(records)
    }
  }
}
