import AppStoreModel

extension APIRequest {
  static func extendRenewal(
    of id: String, _ terms: ExtendRenewal
  ) throws(AppStoreServerError) -> APIRequest {
    var writer = JSONWriter()
    writer.object { terms.write(to: &$0) }
    return try APIRequest(
      .extendRenewal, "inApps/v1/subscriptions/extend", id: id, named: "originalTransactionId",
      body: writer.bytes)
  }

  static func extendRenewals(_ request: MassExtendRenewals) -> APIRequest {
    var writer = JSONWriter()
    writer.object { writer in
      request.terms.write(to: &writer)
      writer.member("productId", request.productId)
      guard let codes = request.storefrontCountryCodes else { return }
      writer.name("storefrontCountryCodes")
      writer.array { writer in
        for code in codes { writer.string(code) }
      }
    }
    return APIRequest(
      .extendRenewals, ["inApps", "v1", "subscriptions", "extend", "mass"], body: writer.bytes)
  }

  static func massExtensionStatus(
    productId: String, requestIdentifier: String
  ) throws(AppStoreServerError) -> APIRequest {
    guard !requestIdentifier.isEmpty else {
      throw .badRequest(.emptyIdentifier("requestIdentifier"))
    }
    return try APIRequest(
      .massExtensionStatus, "inApps/v1/subscriptions/extend/mass", id: productId,
      named: "productId", after: [requestIdentifier])
  }
}

extension ExtendRenewal {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.member("extendByDays", Int64(days))
    writer.member("extendReasonCode", Int64(reason.rawValue))
    writer.member("requestIdentifier", requestIdentifier)
  }
}
