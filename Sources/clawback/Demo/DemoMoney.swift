/// The refunds that the server has booked for all customers of the demo, after each chapter.
///
/// Unit: milliunits of US dollars.
struct DemoMoney: Encodable {
  var currency = "USD"
  var afterRefund = 0
  var afterReversal = 0
  var afterFamilyRevocation = 0
  var afterOldRenewalRefund = 0

  enum CodingKeys: String, CodingKey {
    case currency
    case afterRefund = "refundedMilliunitsAfterRefund"
    case afterReversal = "refundedMilliunitsAfterReversal"
    case afterFamilyRevocation = "refundedMilliunitsAfterFamilyRevocation"
    case afterOldRenewalRefund = "refundedMilliunitsAfterOldRenewalRefund"
  }
}
