import AppStoreModel
package import AppStoreServerAPI

/// An answer in the form that Apple takes for the purchase.
package enum CaseAnswer: Hashable, Sendable {
  case v2(ConsumptionInformation)
  case v1(ConsumptionInformationV1)

  package var version: Int {
    switch self {
    case .v2: 2
    case .v1: 1
    }
  }

  /// What was said, for the record.
  ///
  /// Shape: JSON with Apple's own member names; what is undeclared is left out, and the account token
  /// too.
  var said: String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("customerConsented", true)
      switch self {
      case .v2(let information): writer.said(information)
      case .v1(let information): writer.said(information)
      }
    }
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

extension JSONWriter {
  fileprivate mutating func said(_ information: ConsumptionInformation) {
    member("deliveryStatus", information.deliveryStatus.rawValue)
    member("sampleContentProvided", information.sampleContentProvided)
    member("consumptionPercentage", information.consumptionPercentage.map { Int64($0) })
    member("refundPreference", information.refundPreference?.rawValue)
  }

  fileprivate mutating func said(_ information: ConsumptionInformationV1) {
    member("deliveryStatus", Int64(information.deliveryStatus.rawValue))
    member("sampleContentProvided", information.sampleContentProvided)
    declared("consumptionStatus", information.consumptionStatus.rawValue)
    declared("refundPreference", information.refundPreference.rawValue)
  }

  /// Zero says nothing.
  private mutating func declared(_ name: String, _ number: Int) {
    if number != 0 { member(name, Int64(number)) }
  }
}
