/// One line of a balance's books: lines are added, never changed.
public struct CreditEntry: Hashable, Sendable {
  /// A closed list, described in `docs/ledger-rules.md`.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A purchase filled a lot.
    case filled
    /// A lot came with its purchase from another customer.
    case movedIn
    /// A lot went with its purchase to another customer.
    case movedOut
    case spent
    /// A refund took back what was left.
    case takenBack
    /// A reversal undid that.
    case givenBack
    /// What was gone already is owed.
    case owed
    /// What was gone already freezes the balance.
    case frozen
    /// What was gone already is lost.
    case writtenOff
    /// The refund, and with it the debt, the freeze or the loss, was undone.
    case undone
    /// A lot paid a debt.
    case paid
    /// What was paid went back into its lot.
    case repaid
    /// The operator let a debt or a freeze go.
    case forgiven
  }

  public let kind: Kind
  /// Range: from 1 on.
  public let credits: Int64
  /// How much more, or less, the balance is: all changes add up to it.
  public let balanceChange: Int64
  public let lot: CreditLot.ID?
  public let debt: CreditDebt.Cause?
  /// The spend's name.
  public let spend: String?
}
