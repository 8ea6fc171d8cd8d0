/// The share of a purchase that the App Store has taken back.
///
/// Unit: milliunits of a percent. `100_000` is the whole purchase and `25_000` a quarter of it.
/// Range: `0...100_000`. Absent when nothing was refunded or the refund was reversed.
///
/// Source: `revocationPercentage` of Apple's `JWSTransactionDecodedPayload`.
public struct RevokedShare: Hashable, Comparable, Sendable {
  /// The whole purchase.
  public static let whole = RevokedShare(uncheckedMilliunits: 100_000)

  public let percentMilliunits: Int32

  /// Reads a share as Apple sends it; `nil` outside `0...100_000`.
  public init?(percentMilliunits: Int32) {
    guard (0...100_000).contains(percentMilliunits) else { return nil }
    self.percentMilliunits = percentMilliunits
  }

  private init(uncheckedMilliunits: Int32) {
    percentMilliunits = uncheckedMilliunits
  }

  public static func < (left: RevokedShare, right: RevokedShare) -> Bool {
    left.percentMilliunits < right.percentMilliunits
  }
}
