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

  func object(_ name: String) -> SignedJSON? {
    guard let member = members[name], JSONSerialization.isValidJSONObject(member),
      let data = try? JSONSerialization.data(withJSONObject: member)
    else { return nil }
    return SignedJSON(data: data)
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
