import AppStoreModel

extension ResponseBodyV2DecodedPayload {
  /// What each container says; Apple sends one, and none counts as one that says nothing.
  var claimedOrigins: [ClaimedOrigin] {
    let claims = [
      data.map(\.claimedOrigin), summary.map(\.claimedOrigin),
      externalPurchaseToken.map(\.claimedOrigin), appData.map(\.claimedOrigin),
    ].compactMap { $0 }
    return claims.isEmpty ? [ClaimedOrigin(.bundleAndAppAppleID, environment: nil)] : claims
  }
}

extension NotificationData {
  var claimedOrigin: ClaimedOrigin {
    ClaimedOrigin(
      .bundleAndAppAppleID, bundleID: bundleId, appAppleID: appAppleId, environment: environment)
  }
}

extension NotificationSummary {
  var claimedOrigin: ClaimedOrigin {
    ClaimedOrigin(
      .bundleAndAppAppleID, bundleID: bundleId, appAppleID: appAppleId, environment: environment)
  }
}

extension NotificationAppData {
  var claimedOrigin: ClaimedOrigin {
    ClaimedOrigin(
      .bundleAndAppAppleID, bundleID: bundleId, appAppleID: appAppleId, environment: environment)
  }
}

extension ExternalPurchaseToken {
  /// The token has no environment of its own: its id tells.
  var claimedOrigin: ClaimedOrigin {
    ClaimedOrigin(
      .bundleAndAppAppleID, bundleID: bundleId, appAppleID: appAppleId,
      environment: externalPurchaseId.map { $0.hasPrefix("SANDBOX") ? .sandbox : .production })
  }
}

extension JWSTransactionDecodedPayload {
  var claimedOrigin: ClaimedOrigin {
    ClaimedOrigin(.bundleID, bundleID: bundleId, environment: environment)
  }
}

extension JWSRenewalInfoDecodedPayload {
  var claimedOrigin: ClaimedOrigin {
    ClaimedOrigin(.none, environment: environment)
  }
}

extension AppTransactionDecodedPayload {
  var claimedOrigin: ClaimedOrigin {
    ClaimedOrigin(
      .bundleAndAppAppleID, bundleID: bundleId, appAppleID: appAppleId, environment: receiptType)
  }
}
