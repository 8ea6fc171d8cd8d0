package import AppStoreModel

/// What the App Store has to say, before it signs.
package struct UnsignedNotification: Hashable, Sendable {
  /// The outer payload, whose `data` waits for the signed parts.
  package var payload: ResponseBodyV2DecodedPayload
  /// Absent on TEST.
  package var transaction: JWSTransactionDecodedPayload?
  /// Auto-renewable subscriptions only.
  package var renewal: JWSRenewalInfoDecodedPayload?
}

extension UnsignedNotification {
  /// Shape: `TYPE` or `TYPE/SUBTYPE`, as Apple spells them.
  package var title: String {
    [payload.notificationType?.rawValue, payload.subtype?.rawValue].compactMap { $0 }
      .joined(separator: "/")
  }
}
