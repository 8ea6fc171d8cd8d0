import Foundation

/// The JSON of a signed text, read member by member.
struct SignedJSON {
  let data: Data
  private let members: [String: Any]

  /// Reads the middle part of a JWS; a text of another form has no members.
  init(jws: String) {
    let parts = jws.split(separator: ".", omittingEmptySubsequences: false)
    self.init(data: parts.count == 3 ? Data(base64URL: parts[1]) ?? Data() : Data())
  }

  init(data: Data) {
    self.data = data
    members = (try? JSONSerialization.jsonObject(with: data)) as? [String: Any] ?? [:]
  }

  /// The same without some of its members.
  func data(without names: Set<String>) -> Data {
    if names.isEmpty { return data }
    let kept = members.filter { !names.contains($0.key) }
    return (try? JSONSerialization.data(withJSONObject: kept)) ?? Data()
  }

  func text(_ name: String) -> String? { members[name] as? String }

  func number(_ name: String) -> Int64? { (members[name] as? NSNumber)?.int64Value }

  func flag(_ name: String) -> Bool? { (members[name] as? NSNumber)?.boolValue }

  func list(_ name: String) -> [String]? { members[name] as? [String] }

  /// A whole number that Apple writes as text.
  func identifier(_ name: String) -> UInt64? { text(name).flatMap { UInt64($0) } }

  func uuid(_ name: String) -> UUID? { text(name).flatMap { UUID(uuidString: $0) } }

  /// A moment in milliseconds, with a fraction where Xcode signed it.
  func date(_ name: String) -> Date? {
    guard let number = members[name] as? NSNumber else { return nil }
    return Date(timeIntervalSince1970: number.doubleValue / 1_000)
  }

  /// Thousandths, as Apple writes prices and percentages.
  func milliunits(_ name: String) -> Decimal? {
    number(name).map { Decimal($0) / 1_000 }
  }

  func bytes(_ name: String) -> Data? { text(name).flatMap { Data(base64Encoded: $0) } }

  func object(_ name: String) -> SignedJSON? { members[name].flatMap(SignedJSON.init(member:)) }

  func objects(_ name: String) -> [SignedJSON]? {
    (members[name] as? [Any])?.compactMap(SignedJSON.init(member:))
  }

  private init?(member: Any) {
    guard JSONSerialization.isValidJSONObject(member),
      let data = try? JSONSerialization.data(withJSONObject: member)
    else { return nil }
    self.init(data: data)
  }

  /// A duration of ISO 8601 in one unit, such as `P1M`.
  func period(_ name: String) -> Product.SubscriptionPeriod? {
    guard let text = text(name), text.hasPrefix("P"), let letter = text.last,
      let count = Int(text.dropFirst().dropLast())
    else { return nil }
    switch letter {
    case "D": return Product.SubscriptionPeriod(unit: .day, value: count)
    case "W": return Product.SubscriptionPeriod(unit: .week, value: count)
    case "M": return Product.SubscriptionPeriod(unit: .month, value: count)
    case "Y": return Product.SubscriptionPeriod(unit: .year, value: count)
    default: return nil
    }
  }
}

extension Data {
  /// Reads the alphabet of RFC 4648, section 5, without padding.
  init?(base64URL text: some StringProtocol) {
    var plain = text.replacingOccurrences(of: "-", with: "+")
      .replacingOccurrences(of: "_", with: "/")
    plain += String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4)
    self.init(base64Encoded: plain)
  }
}
