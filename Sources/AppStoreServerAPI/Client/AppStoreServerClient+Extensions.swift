extension AppStoreServerClient {
  public func extendRenewal(
    of originalTransactionId: String, _ request: ExtendRenewal, _ options: CallOptions
  ) async throws(AppStoreServerError) -> ExtendedRenewal {
    try await ask(try .extendRenewal(of: originalTransactionId, request), options) {
      (answer) throws(AppStoreServerError) in try answer.extendedRenewal()
    }
  }

  public func extendRenewals(
    _ request: MassExtendRenewals, _ options: CallOptions
  ) async throws(AppStoreServerError) -> String {
    try await ask(.extendRenewals(request), options) { (answer) throws(AppStoreServerError) in
      try answer.required("requestIdentifier", answer.text("requestIdentifier"))
    }
  }

  public func massExtensionStatus(
    productId: String, requestIdentifier: String, _ options: CallOptions
  ) async throws(AppStoreServerError) -> MassExtensionStatus {
    try await ask(
      try .massExtensionStatus(productId: productId, requestIdentifier: requestIdentifier), options
    ) { (answer) throws(AppStoreServerError) in try answer.massExtensionStatus() }
  }
}
