package import AppStoreModel

/// What the App Store has to say, before it signs.
package struct UnsignedNotification: Hashable, Sendable {
  /// The outer payload, whose `data` and `appData` wait for the signed parts.
  package var payload: ResponseBodyV2DecodedPayload
  /// Absent on TEST and wherever no purchase is meant.
  package var transaction: JWSTransactionDecodedPayload?
  /// Auto-renewable subscriptions only.
  package var renewal: JWSRenewalInfoDecodedPayload?
  /// RESCIND_CONSENT only.
  package var appTransaction: AppTransactionDecodedPayload?
  /// What is written otherwise than the store means it.
  package var alterations = Alterations()
  /// How its signature is spoiled; absent for a good one.
  package var forgery: Forgery?
  /// How much later than it is said it is sent.
  package var delay = TimeSpan.zero
}

extension UnsignedNotification {
  /// Shape: `TYPE` or `TYPE/SUBTYPE`, as Apple spells them.
  package var title: String {
    [payload.notificationType?.rawValue, payload.subtype?.rawValue].compactMap { $0 }
      .joined(separator: "/")
  }
}
