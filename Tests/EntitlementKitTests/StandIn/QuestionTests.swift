import EntitlementKit
import EntitlementKitTesting
import Foundation
import StoreKit
import Testing

/// What an app, or another library in it, may ask StoreKit besides the kit: the same device answers.
struct QuestionTests {
  private func onStage(_ body: @Sendable (Stage) async throws -> Void) async throws {
    let stage = Stage(route: .storeKit)
    stage.device.sell("pro.monthly", as: .subscription(group: "group", days: 30))
    try await stage.run(body)
  }

  private static func product(_ id: String) async throws -> Product {
    try #require(try await Product.products(for: [id]).first)
  }

  private static func ids(_ sequence: Transaction.Transactions) async -> [String] {
    var ids: [String] = []
    for await item in sequence { ids.append("\(item.unsafePayloadValue.id)") }
    return ids
  }

  @Test func `every way to ask for what is owned names the transaction that the kit decided by`()
    async throws
  {
    try await onStage { stage async throws in
      let first = stage.device.subscribe(to: "pro.monthly")
      stage.device.advance(days: 29)
      let second = try #require(stage.device.renew(first))
      stage.device.advance(days: 2)
      let kit = await stage.launch()
      let product = try await Self.product("pro.monthly")
      #expect(kit.pro.transactionID == second)
      let owned = try #require(await product.currentEntitlement)
      let latest = try #require(await product.latestTransaction)
      #expect(owned == latest)
      #expect(Set([owned, latest]).count == 1)
      #expect("\(try owned.payloadValue.id)" == second)
      #expect(await Self.ids(product.currentEntitlements) == [second])
      #expect(await Self.ids(Transaction.all(for: "pro.monthly")) == [second, first])
      #expect(await Self.ids(Transaction.all(for: "pro.lifetime")).isEmpty)
      #expect(kit.signedTransaction(second) == owned.jwsRepresentation)
    }
  }

  @Test func `every way to ask for a subscription's state gives the same one`() async throws {
    try await onStage { stage async throws in
      let product = try await Self.product("pro.monthly")
      let info = try #require(product.subscription)
      #expect(await info.isEligibleForIntroOffer)
      #expect(try await info.status.isEmpty)
      let id = stage.device.subscribe(to: "pro.monthly")
      #expect(await !info.isEligibleForIntroOffer)
      for state in [Product.SubscriptionInfo.RenewalState.subscribed, .revoked] {
        let listed = try await info.status
        let number = try #require(UInt64(id))
        let asked = try #require(
          try await Product.SubscriptionInfo.status(transactionID: number))
        let own = await listed.first?.transaction.unsafePayloadValue.subscriptionStatus
        #expect(listed == [asked])
        #expect(own == asked)
        #expect(Set(listed + [asked]).count == 1)
        #expect(asked.state == state)
        stage.device.advance(days: 1)
        stage.device.refund(id)
      }
      #expect(try await Product.SubscriptionInfo.status(transactionID: 1) == nil)
    }
  }

  @Test func `after a refund nothing is owned, and the latest transaction says how`() async throws {
    try await onStage { stage async throws in
      let id = stage.device.buyNonConsumable("pro.lifetime")
      let product = try await Self.product("pro.lifetime")
      #expect(await product.currentEntitlement != nil)
      stage.device.advance(days: 1)
      stage.device.refund(id, .prorated(percent: 40))
      #expect(await product.currentEntitlement == nil)
      let transaction = try #require(await product.latestTransaction).payloadValue
      #expect(transaction.revocationDate == stage.device.now)
      #expect(transaction.revocationReason == .other)
      #expect(transaction.revocationType == .proratedRefund)
      #expect(transaction.revocationTypeStringRepresentation == "REFUND_PRORATED")
      #expect(transaction.revocationPercentage == 40)
      #expect(await transaction.subscriptionStatus == nil)
    }
  }

  @Test func `a share, a seat and a bundle are named as Apple names them`() async throws {
    try await onStage { stage async throws in
      let share = stage.device.receiveFamilyShare(of: "pro.lifetime")
      let seat = stage.device.receiveSeat(of: "pro.yearly", group: "seats")
      let monthly = stage.device.subscribe(to: "pro.monthly")
      stage.device.advance(days: 1)
      stage.device.endFamilySharing(share)
      stage.device.withdrawSeat(seat)
      let bundle = try #require(stage.device.moveToBundle(monthly, bundle: "everything"))
      let shared = try #require(await Transaction.latest(for: "pro.lifetime")).payloadValue
      #expect(shared.ownershipType == .familyShared)
      #expect(shared.revocationType == .familyRevocation)
      let assigned = try #require(await Transaction.latest(for: "pro.yearly")).payloadValue
      #expect(assigned.ownershipType == .assigned)
      #expect(assigned.revocationType == .assignmentRevocation)
      let old = try #require(await Transaction.latest(for: "pro.monthly")).payloadValue
      #expect(old.revocationReason == .upgradedToBundle)
      let new = try #require(await Transaction.latest(for: "everything")).payloadValue
      #expect(new.previousOriginalTransactionID == UInt64(monthly))
      stage.device.leaveBundle(bundle, for: "pro.monthly")
      let left = try await Product.SubscriptionInfo.status(for: "bundle").first
      let renewal = try #require(left).renewalInfo.payloadValue
      #expect(renewal.expirationReason == .unbundled)
      #expect(!renewal.willAutoRenew)
      #expect(renewal.renewalDate == new.expirationDate)
    }
  }

  @Test func `the app's own transaction is one, however it is asked for`() async throws {
    try await onStage { stage async throws in
      let shared = try await AppTransaction.shared
      var listed: [AppTransaction] = []
      for await item in AppTransaction.all { listed.append(item.unsafePayloadValue) }
      #expect(listed == [shared.unsafePayloadValue])
      #expect(try await AppTransaction.refresh() == shared)
      #expect(Set(listed + [shared.unsafePayloadValue]).count == 1)
      #expect(shared.unsafePayloadValue.appTransactionID == "701000000000000001")
      #expect(shared.unsafePayloadValue.revocationDate == nil)
      stage.device.advance(days: 1)
      stage.device.refundApp()
      #expect(
        try await AppTransaction.shared.unsafePayloadValue.revocationDate == stage.device.now)
      stage.device.signOut()
      await #expect(throws: StoreKitError.self) { try await AppTransaction.shared }
    }
  }

  @Test func `the parts of what was signed are those of the text`() async throws {
    try await onStage { stage async throws in
      stage.device.subscribe(to: "pro.monthly")
      let status = try #require(
        try await Product.SubscriptionInfo.status(for: "group").first)
      let (transaction, renewal) = (status.transaction, status.renewalInfo)
      let app = try await AppTransaction.shared
      let all = [
        (
          transaction.jwsRepresentation, transaction.headerData, transaction.payloadData,
          transaction.signatureData, transaction.signedData
        ),
        (
          renewal.jwsRepresentation, renewal.headerData, renewal.payloadData,
          renewal.signatureData, renewal.signedData
        ),
        (app.jwsRepresentation, app.headerData, app.payloadData, app.signatureData, app.signedData),
      ]
      for (text, header, payload, signature, signed) in all {
        #expect(String(decoding: header, as: UTF8.self).contains("simulated"))
        #expect((try JSONSerialization.jsonObject(with: payload)) is [String: Any])
        #expect(String(decoding: signature, as: UTF8.self) == "unsigned")
        #expect(text.hasPrefix(String(decoding: signed, as: UTF8.self) + "."))
      }
      #expect(try transaction.payloadValue.jsonRepresentation == transaction.payloadData)
      #expect(try renewal.payloadValue.jsonRepresentation == renewal.payloadData)
      #expect(try app.payloadValue.jsonRepresentation == app.payloadData)
      #expect(transaction.signedDate == stage.device.now)
      #expect(renewal.signedDate == stage.device.now)
      #expect(app.signedDate == stage.device.now)
    }
  }

  @Test(arguments: SignedTextFailure.allCases)
  func `each of StoreKit's refusals is told by its name, and opens nothing`(
    failure: SignedTextFailure
  ) async throws {
    try await onStage { stage async throws in
      let id = stage.device.buyNonConsumable("pro.lifetime")
      stage.device.breakSignature(id, error: failure.rawValue)
      let kit = await stage.launch()
      #expect(await kit.becomes { !$0.setAside.isEmpty })
      #expect(Set(kit.setAside.map(\.reason)) == [.unverified(failure.rawValue)])
      #expect(!kit.allows("pro"))
      let listed = try #require(await Transaction.latest(for: "pro.lifetime"))
      #expect(throws: VerificationResult<Transaction>.VerificationError.self) {
        try listed.payloadValue
      }
      #expect(listed.debugDescription.hasPrefix("unverified("))
      #expect(listed.debugDescription.hasSuffix(", \(failure.rawValue))"))
    }
  }

  @Test func `the words of older systems say what the newer members do`() async throws {
    try await onStage { stage async throws in
      let id = stage.device.subscribe(to: "pro.monthly")
      stage.device.advance(days: 29)
      stage.device.renew(id)
      for await item in Transaction.all {
        let transaction = item.unsafePayloadValue
        #expect(transaction.environmentStringRepresentation == transaction.environment.rawValue)
        #expect(transaction.reasonStringRepresentation == transaction.reason.rawValue)
        #expect(transaction.storefrontCountryCode == transaction.storefront.countryCode)
        #expect(transaction.currencyCode == transaction.currency?.identifier)
        #expect(transaction.storefront.id == "143441")
        #expect(transaction.price == Decimal(string: "9.99"))
      }
      #expect(await Storefront.current?.countryCode == "USA")
    }
  }

  @Test func `an offer and a commitment are read from what was signed`() throws {
    let text = SimulatedDevice.unsigned(
      Array(
        (#"{"transactionId":"7","offerType":4,"offerIdentifier":"back","#
          + #""offerDiscountType":"ONE_TIME","offerPeriod":"P2M","#
          + #""commitmentInfo":{"billingPeriodNumber":3,"totalBillingPeriods":12,"#
          + #""commitmentPrice":99990,"commitmentExpiresDate":1790000000000}}"#).utf8))
    let transaction = Transaction(jws: text)
    let offer = try #require(transaction.offer)
    #expect(offer.type == .winBack)
    #expect(offer.paymentMode == .oneTime)
    #expect(offer.period == .everyTwoMonths)
    #expect(offer.id == "back")
    #expect(transaction.offerID == offer.id)
    #expect(transaction.offerType == offer.type)
    #expect(transaction.offerPaymentModeStringRepresentation == offer.paymentMode?.rawValue)
    #expect(transaction.offerPeriodStringRepresentation == "P2M")
    let commitment = try #require(transaction.commitmentInfo)
    #expect(commitment.billingPeriodNumber == 3)
    #expect(commitment.totalBillingPeriods == 12)
    #expect(commitment.price == Decimal(string: "99.99"))
    #expect(commitment.expirationDate == Date(timeIntervalSince1970: 1_790_000_000))
    #expect(transaction == Transaction(jws: text))
    #expect(Transaction(jws: "x").offer == nil)
  }

  @Test func `units of time are ordered by their length`() {
    typealias Unit = Product.SubscriptionPeriod.Unit
    #expect([Unit.year, .day, .month, .week].sorted() == [.day, .week, .month, .year])
  }
}
