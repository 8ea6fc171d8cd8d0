import Testing

@testable import AppStoreModel

/// Every member of every payload, each with a value of its own kind, as Apple would send it.
struct PayloadFieldsTests {
  @Test func `a notification keeps every member`() throws {
    try keepsEveryMember(ResponseBodyV2DecodedPayload.self)
    try keepsEveryMember(NotificationData.self)
    try keepsEveryMember(NotificationSummary.self)
    try keepsEveryMember(ExternalPurchaseToken.self)
    try keepsEveryMember(NotificationAppData.self)
  }

  @Test func `a transaction keeps every member`() throws {
    try keepsEveryMember(JWSTransactionDecodedPayload.self)
    try keepsEveryMember(CommitmentInfo.self)
  }

  @Test func `renewal information keeps every member`() throws {
    try keepsEveryMember(JWSRenewalInfoDecodedPayload.self)
    try keepsEveryMember(RenewalCommitmentInfo.self)
  }

  @Test func `an app transaction keeps every member`() throws {
    try keepsEveryMember(AppTransactionDecodedPayload.self)
  }

  @Test func `Advanced Commerce objects keep every member`() throws {
    try keepsEveryMember(AdvancedCommerceTransactionInfo.self)
    try keepsEveryMember(AdvancedCommerceTransactionItem.self)
    try keepsEveryMember(AdvancedCommerceDescriptors.self)
    try keepsEveryMember(AdvancedCommerceOffer.self)
    try keepsEveryMember(AdvancedCommerceRefund.self)
    try keepsEveryMember(AdvancedCommerceRenewalInfo.self)
    try keepsEveryMember(AdvancedCommerceRenewalItem.self)
    try keepsEveryMember(AdvancedCommercePriceIncreaseInfo.self)
  }

  /// Each member alone, with the first of these values that it takes, must come back unchanged.
  private func keepsEveryMember<Payload: JSONPayload>(_ type: Payload.Type) throws {
    for member in Payload.members.list {
      let accepted = ["\"some text\"", "-62135769600000", "7", "true", "{\"later\":[1]}", "[]"]
        .map { "{\"\(member.name)\":\($0),\"later\":{\"a\":[null,1.50]}}" }
        .first { (try? read(type, $0)) != nil }
      let json = try #require(accepted, "no value fits \(type).\(member.name)")
      #expect(try text(read(type, json)) == json)
    }
  }
}

func read<Payload: JSONPayload>(_ type: Payload.Type, _ json: String) throws -> Payload {
  try Array(json.utf8).withUnsafeBufferPointer { try Payload(whole: $0) }
}

func text(_ payload: some JSONPayload) -> String {
  String(decoding: payload.written(), as: UTF8.self)
}
