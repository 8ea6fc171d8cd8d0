import AppStoreModel

extension APIRequest {
  static func sendConsumption(
    _ consumption: ConsumptionInformation, for id: String
  ) throws(AppStoreServerError) -> APIRequest {
    try APIRequest(
      .sendConsumption, "inApps/v2/transactions/consumption", id: id, named: "transactionId",
      body: consumption.json)
  }

  static func sendConsumption(
    _ consumption: ConsumptionInformationV1, for id: String
  ) throws(AppStoreServerError) -> APIRequest {
    try APIRequest(
      .sendConsumptionV1, "inApps/v1/transactions/consumption", id: id, named: "transactionId",
      body: consumption.json)
  }
}

extension ConsumptionInformation {
  /// The body that is sent.
  package var json: [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("customerConsented", true)
      writer.member("deliveryStatus", deliveryStatus.rawValue)
      writer.member("sampleContentProvided", sampleContentProvided)
      writer.member("consumptionPercentage", consumptionPercentage.map(Int64.init))
      writer.member("refundPreference", refundPreference?.rawValue)
    }
    return writer.bytes
  }
}

extension ConsumptionInformationV1 {
  /// The body that is sent.
  package var json: [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("accountTenure", Int64(accountTenure.rawValue))
      writer.member("appAccountToken", appAccountToken?.lowercased() ?? "")
      writer.member("consumptionStatus", Int64(consumptionStatus.rawValue))
      writer.member("customerConsented", true)
      writer.member("deliveryStatus", Int64(deliveryStatus.rawValue))
      writer.member("lifetimeDollarsPurchased", Int64(lifetimeDollarsPurchased.rawValue))
      writer.member("lifetimeDollarsRefunded", Int64(lifetimeDollarsRefunded.rawValue))
      writer.member("platform", Int64(platform.rawValue))
      writer.member("playTime", Int64(playTime.rawValue))
      writer.member("refundPreference", Int64(refundPreference.rawValue))
      writer.member("sampleContentProvided", sampleContentProvided)
      writer.member("userStatus", Int64(userStatus.rawValue))
    }
    return writer.bytes
  }
}
