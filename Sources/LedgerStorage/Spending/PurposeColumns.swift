import AppStoreModel
import EntitlementLedger

/// The columns in which both holds and spends keep what was to be spent, and on what right.
///
/// Order: entitlement, credit unit, credits, kind, unit, units, cost, currency.
enum PurposeColumns {
  static func purpose(from row: any SQLRow, first: Int) throws(StoreError) -> SpendPurpose {
    let amount = try row.requiredInteger(first + 2)
    let cost = Cost(
      microunits: try row.requiredInteger(first + 6),
      currency: Currency(code: try row.requiredText(first + 7)))
    guard let cost else { throw .inconsistent(detail: "a cost is out of range") }
    return SpendPurpose(
      entitlement: row.text(first),
      credits: row.text(first + 1).map { Credits(unit: $0, amount: amount) },
      measure: SpendMeasure(
        kind: try row.requiredText(first + 3), unit: try row.requiredText(first + 4),
        units: try row.requiredInteger(first + 5)),
      cost: cost)
  }
}
