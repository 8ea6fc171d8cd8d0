import AppStoreModel
import EntitlementLedger

/// What a device or a backend reports: signed texts, and perhaps whose they are.
struct Report: Sendable {
  let transactions: [[UInt8]]
  let renewals: [[UInt8]]
  /// Only a backend may name one.
  let customer: CustomerID?
  /// The version of the app that reports, where it says so.
  let appVersion: String?

  init(_ call: Call, limits: Limits) throws(Problem) {
    let json = try call.json()
    transactions = try Report.texts(json, "signedTransactions")
    renewals = try Report.texts(json, "signedRenewals")
    let isDevice = call.key?.scope == .device
    let member = json["customer"]
    guard member == nil || !isDevice else {
      throw Problem(.scopeMissing, "A device key never links: only a backend names the customer.")
    }
    if let member {
      guard let name = member.string, StatedText.isCustomer(name), let customer = CustomerID(name)
      else {
        throw Problem(
          .malformedBody, "customer is a text of 1 to 255 bytes without control characters.")
      }
      self.customer = customer
    } else {
      customer = nil
    }
    appVersion = try Report.version(json)
    let count = transactions.count + renewals.count
    guard count > 0 else { throw Problem(.malformedBody, "signedTransactions is missing.") }
    guard count <= limits.deviceItems else {
      throw Problem(.tooManyItems, "One request holds at most \(limits.deviceItems) items.")
    }
  }

  /// "unknown" is the name of those that state none.
  private static func version(_ json: JSONValue) throws(Problem) -> String? {
    guard let member = json["appVersion"] else { return nil }
    guard let version = member.string, version.utf8.count <= 50,
      version.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F })
    else { throw Problem(.malformedBody, "appVersion is a text of at most 50 bytes.") }
    return version.isEmpty || version == "unknown" ? nil : version
  }

  private static func texts(_ json: JSONValue, _ name: String) throws(Problem) -> [[UInt8]] {
    guard let member = json[name] else { return [] }
    guard let values = member.array else {
      throw Problem(.malformedBody, "\(name) is a list of texts.")
    }
    let texts = values.compactMap(\.string)
    guard texts.count == values.count else {
      throw Problem(.malformedBody, "\(name) is a list of texts.")
    }
    return texts.map { Array($0.utf8) }
  }
}
