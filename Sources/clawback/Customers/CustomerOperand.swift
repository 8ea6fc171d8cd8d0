/// Who a command is about.
enum CustomerOperand {
  static let operand = Operand<String>.required(
    "CUSTOMER", "The customer, in your backend's own words, or the account token.")
  static let purchase = Operand<String>.required(
    "PURCHASE", "The purchase, by its originalTransactionId.")
}
