/// Something that StoreKit handed over and that changes no answer.
public struct SetAsideItem: Hashable, Sendable {
  /// Why it was set aside.
  public enum Reason: Hashable, Sendable {
    /// StoreKit could not verify it: the name of its error.
    case unverified(String)
    /// Its JSON is not what is signed for a transaction.
    case unreadable(String)
    /// It was bought in another app.
    case foreignApp
    /// It belongs to another Apple Account than the one that is signed in.
    case foreignOwner
    /// It was made in another environment than this app's, such as the sandbox.
    case foreignEnvironment
    /// No rule names its product, so it grants nothing; it is recorded all the same.
    case unmappedProduct
  }

  /// Absent where it could not be read.
  public let transactionID: String?
  /// Absent where it could not be read.
  public let productID: String?
  /// Why it counts for nothing.
  public let reason: Reason

  package init(transactionID: String?, productID: String?, reason: Reason) {
    self.transactionID = transactionID
    self.productID = productID
    self.reason = reason
  }
}
