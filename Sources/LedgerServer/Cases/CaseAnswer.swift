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

  /// The body that is sent.
  ///
  /// Shape: JSON with Apple's own member names.
  package var said: String {
    switch self {
    case .v2(let information): String(decoding: information.json, as: UTF8.self)
    case .v1(let information): String(decoding: information.json, as: UTF8.self)
    }
  }
}
