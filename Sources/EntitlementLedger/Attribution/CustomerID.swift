/// Names a customer: the backend's own user id, or by default the lower-case `appAccountToken`.
///
/// Shape: any text; a UUID is kept in lower case, since its two spellings are one name.
public struct CustomerID: Hashable, Comparable, Sendable {
  public let text: String

  /// `nil` for an empty name.
  public init?(_ text: String) {
    guard !text.isEmpty else { return nil }
    self.text = AccountToken.isUUID(text) ? text.lowercased() : text
  }

  /// The customer of an Apple Account in an app, as long as nobody said who that is.
  ///
  /// Shape: `atx:` and the `appTransactionId`.
  public static func anonymous(appTransactionId: String) -> CustomerID {
    CustomerID(unchecked: "atx:" + appTransactionId)
  }

  /// Whether it stands for an Apple Account of unknown owner.
  public var isAnonymous: Bool { text.hasPrefix("atx:") }

  init(unchecked text: String) {
    self.text = text
  }

  public static func < (left: CustomerID, right: CustomerID) -> Bool {
    left.text < right.text
  }
}

extension CustomerID: CustomStringConvertible {
  public var description: String { text }
}
