import EntitlementLedger

extension LinkRefusal {
  /// Why a line of an import is refused, with the next step.
  ///
  /// - Parameter line: The line of the same import that says whose the purchase is; `nil` for none.
  /// - Returns: A clause without a final stop.
  func importReason(line: Int64?) -> String {
    switch self {
    case .tokenNamesAnother:
      "\(self): if it is this customer's own, 'clawback customers token CUSTOMER TOKEN' says so; then "
        + "import again"
    case .linkedElsewhere, .boundElsewhere, .transferredElsewhere:
      line.map {
        "\(self) by line \($0), which names the same Apple Account: leave out one of the two"
      } ?? "\(self): 'clawback customers transfer CUSTOMER PURCHASE' moves it"
    }
  }
}
