import AppStoreModel
import Foundation

/// What the books of one period, product and currency say, worked out from the facts alone.
struct NaiveBooks: Hashable {
  var counts: [String: Int] = [:]
  var sums: [String: Int64] = [:]

  mutating func note(_ kind: String, _ amount: Int64?) {
    counts[kind, default: 0] += 1
    if let amount { sums[kind, default: 0] += amount }
  }

  var net: Int64 {
    ["fullRefund", "proratedRefund", "itemRefund"].reduce(0) { $0 + (sums[$1] ?? 0) }
      - (sums["reversal"] ?? 0)
  }
}

extension NaiveLedger {
  /// Books by `period product currency`, the period by the calendar of Foundation.
  func books(by component: Calendar.Component) -> [String: NaiveBooks] {
    var books: [String: NaiveBooks] = [:]
    func note(_ kind: String, _ copy: Copy, _ at: Timestamp, _ amount: Int64?) {
      let currency = copy.price == nil ? "" : copy.currency
      let key = "\(Self.period(component, at)) \(copy.product) \(currency)"
      books[key, default: NaiveBooks()].note(kind, amount)
    }
    for revocation in revocations {
      let copy = revocation.newest
      let isRefund =
        copy.owner == .purchased && (revocation.refundSeen || !revocation.revokeSeen)
        && [.fullRefund, .proratedRefund].contains(kind(of: revocation))
      let amount = isRefund ? signalled(copy) : nil
      note(
        isRefund ? kind(of: revocation).rawValue : word(revocation), copy, revocation.date, amount)
      if isRefund, let reversed = reversalDate(of: revocation) {
        note("reversal", copy, reversed, amount)
      }
    }
    for id in transactionIds {
      guard let copy = newest(copies(of: id)), copy.owner == .purchased,
        let amount = copy.advancedCommerceRefund, amount != 0, (netRefund(id) ?? 1) == 0
      else { continue }
      note("itemRefund", copy, copy.purchased, amount)
    }
    return books
  }

  private func word(_ revocation: Revocation) -> String {
    switch kind(of: revocation) {
    case .familyRevocation: "familyRevocation"
    case .assignmentRevocation: "seatRevocation"
    case .bundleMove: "bundleMove"
    case .fullRefund, .proratedRefund, .unclassified: "unclassified"
    }
  }

  /// Half to even, by the decimals of Foundation.
  private func signalled(_ copy: Copy) -> Int64? {
    if let items = copy.advancedCommerceRefund { return items == 0 ? nil : items }
    guard let price = copy.price else { return nil }
    var product = Decimal(price) * Decimal(copy.revoked?.share ?? 100_000) / 100_000
    var rounded = Decimal()
    NSDecimalRound(&rounded, &product, 0, .bankers)
    return NSDecimalNumber(decimal: rounded).int64Value
  }

  private static func period(_ component: Calendar.Component, _ moment: Timestamp) -> String {
    var calendar = Calendar(identifier: .iso8601)
    calendar.timeZone = .gmt
    let date = Date(timeIntervalSince1970: Double(moment.millisecondsSince1970) / 1_000)
    let start = calendar.dateInterval(of: component, for: date)?.start ?? date
    let parts = calendar.dateComponents([.year, .month, .day], from: start)
    return [parts.year, parts.month, parts.day].map { String($0 ?? 0) }.joined(separator: "-")
  }
}
