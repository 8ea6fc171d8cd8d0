import AppStoreModel
import JSON5
import Testing

@testable import AppStoreSimulator

struct StoreKitCatalogTests {
  private static func file(version: Int, subscription: String = "") -> [UInt8] {
    Array(
      """
      {
        "identifier" : "7A6E21F0",
        "nonRenewingSubscriptions" : [
          {"displayPrice": "19.99", "familyShareable": false, "internalID": "3", "localizations": [],
           "productID": "x.season", "referenceName": "Season", "type": "NonRenewingSubscription"}
        ],
        "products" : [
          {"displayPrice": "0.99", "familyShareable": false, "internalID": "1", "localizations": [],
           "productID": "x.coins", "referenceName": "Coins", "type": "Consumable"},
          {"displayPrice": "9.99", "familyShareable": true, "internalID": "2", "localizations": [],
           "productID": "x.themes", "referenceName": "Themes", "type": "NonConsumable"}
        ],
        "settings" : {"_storefront": "DEU", "_timeRate": 6},
        "subscriptionGroups" : [
          {"id": "AB12", "name": "Pro", "localizations": [], "subscriptions": [
            {"adHocOffers": [], "codeOffers": [], "displayPrice": "4.99", "familyShareable": true,
             "groupNumber": 2, "internalID": "4", "introductoryOffer": null, "localizations": [],
             "productID": "x.pro", "recurringSubscriptionPeriod": "P1M", "referenceName": "Pro",
             "subscriptionGroupID": "AB12", "type": "RecurringSubscription"\(subscription)}
          ]}
        ],
        "version" : {"major": \(version), "minor": 0}
      }
      """.utf8)
  }

  @Test(arguments: 1...6)
  func `a file of any known version is a catalog`(version: Int) throws {
    let products = try StoreKitCatalog.products(Self.file(version: version))
    #expect(products.map(\.id) == ["x.coins", "x.themes", "x.season", "x.pro"])
    #expect(
      products.map(\.type) == [
        .consumable, .nonConsumable, .nonRenewingSubscription, .autoRenewableSubscription,
      ])
    #expect(products.map(\.price.milliunits) == [990, 9_990, 19_990, 4_990])
    #expect(products.allSatisfy { $0.price.currency.code == "EUR" })
    #expect(products.map(\.isFamilyShareable) == [false, true, false, true])
    #expect(products[3].period == .days(30))
    #expect(products[3].group == "AB12")
    #expect(products[3].level == 2)
    #expect(products[3].commitment == nil)
  }

  @Test func `offers and monthly plans are read`() throws {
    let more = """
      , "introductoryOffers": [{"paymentMode": "free", "subscriptionPeriod": "P1W"}],
      "adHocOffers": [{"offerID": "loyal", "paymentMode": "payAsYouGo", "displayPrice": "2.49",
        "subscriptionPeriod": "P1M"}],
      "codeOffers": [{"referenceName": "code", "paymentMode": "payUpFront", "displayPrice": "1"}],
      "winbackOffers": [{"offerID": "back", "paymentMode": "free", "subscriptionPeriod": "P1M"}],
      "billingPlans": [{"billingPlanType": "BILLED_UPFRONT"}, {"billingPlanType": "MONTHLY"}]
      """
    // The later of two members of one name would be refused: the sample's empty list goes.
    let text = String(decoding: Self.file(version: 5, subscription: more), as: UTF8.self)
      .replacing(#""adHocOffers": [], "codeOffers": [], "#, with: "")
      .replacing(#""introductoryOffer": null, "#, with: "")
    let pro = try #require(try StoreKitCatalog.products(Array(text.utf8)).last)
    #expect(pro.offers.map(\.type) == [.introductory, .promotional, .offerCode, .winBack])
    #expect(pro.offers.map(\.identifier) == [nil, "loyal", "code", "back"])
    #expect(pro.offers.map(\.milliunits) == [0, 2_490, 1_000, 0])
    #expect(pro.commitment == 12)
  }

  @Test(arguments: [
    ("{}", "line 1, column 1: version: is missing"),
    (
      #"{"version": {"major": 9}}"#,
      "line 1, column 23: version.major: expected 1 to 6, found 9"
    ),
    (
      #"{"version": {"major": 4}, "products": [{"type": "Consumable"}]}"#,
      "line 1, column 40: products[0].productID: is missing"
    ),
    (
      #"{"version": {"major": 4}, "products": [{"productID": "x", "type": "Gift"}]}"#,
      "line 1, column 67: products[0].type: expected one of Consumable, NonConsumable, "
        + "NonRenewingSubscription, RecurringSubscription, found Gift"
    ),
  ])
  func `what is no catalog is refused`(text: String, says: String) throws {
    let error = try #require(throws: JSON5Error.self) {
      try StoreKitCatalog.products(Array(text.utf8))
    }
    #expect(error.description == says)
  }
}
