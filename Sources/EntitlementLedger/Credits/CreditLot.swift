public import AppStoreModel

/// What one purchase put into a balance, and what has become of it.
///
/// Every credit is in one place: taken back, held, spent, paid to a debt, or available.
public struct CreditLot: Hashable, Sendable {
  /// A name that the keeper of the book gives it.
  public typealias ID = Int64

  public let id: ID
  public let transactionId: String
  public let purchaseDate: Timestamp
  public let filled: Int64
  /// By the revocation that stands.
  public internal(set) var taken: Int64
  public internal(set) var held: Int64
  public internal(set) var spent: Int64
  /// To debts of the same balance.
  public internal(set) var paid: Int64
  public internal(set) var takenBack: CreditGrant.TakenBack?

  public init(
    id: ID, transactionId: String, purchaseDate: Timestamp, filled: Int64, taken: Int64 = 0,
    held: Int64 = 0, spent: Int64 = 0, paid: Int64 = 0, takenBack: CreditGrant.TakenBack? = nil
  ) {
    precondition(
      min(taken, held, spent, paid) >= 0 && taken + held + spent + paid <= filled,
      "A lot holds each credit once.")
    self.id = id
    self.transactionId = transactionId
    self.purchaseDate = purchaseDate
    self.filled = filled
    self.taken = taken
    self.held = held
    self.spent = spent
    self.paid = paid
    self.takenBack = takenBack
  }

  public var available: Int64 { filled - taken - held - spent - paid }

  /// The order in which lots are drawn: as they were bought.
  static func precedes(_ left: CreditLot, _ right: CreditLot) -> Bool {
    (left.purchaseDate, left.transactionId, left.id)
      < (right.purchaseDate, right.transactionId, right.id)
  }
}
