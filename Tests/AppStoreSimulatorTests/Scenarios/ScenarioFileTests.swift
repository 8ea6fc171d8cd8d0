import AppStoreModel
import Foundation
import JSON5
import Testing

@testable import AppStoreSimulator

struct ScenarioFileTests {
  private static func failure(_ text: String) -> String? {
    do throws(ScenarioFailure) {
      let scenario = try Scenario(json5: Array(text.utf8), name: "own")
      _ = try scenario.played(seed: 1, endingAt: ScenarioTests.end)
      return nil
    } catch {
      return error.description
    }
  }

  /// A file, and what is said of it.
  static let broken: [(String, String)] = [
    ("", "line 1, column 1: expected a value, found the end of the file"),
    ("[]", "line 1, column 1: expected an object, found a list"),
    ("{}", "line 1, column 1: steps: is missing"),
    ("{ stpes: [] }", "line 1, column 3: stpes: no such setting; is steps meant?"),
    (
      "{ steps: [\n  { buy: 'pro', by: 'ada' },\n  { after: '3 days', refund: 'ada.pro' },\n] }",
      "line 3, column 12: steps[1].after: expected a time such as 90m, 12h or 3d, 100 years at most, "
        + "found 3 days"
    ),
    (
      "{ steps: [{ buy: 'gold', by: 'ada' }] }",
      "line 1, column 18: steps[0].buy: nothing named gold is for sale; "
        + "there are coins, themes, season, basic, pro"
    ),
    (
      "{ steps: [{ buy: 'coins', by: 'ada', as: 'x' }, { buy: 'coins', by: 'ada', as: 'x' }] }",
      "line 1, column 80: steps[1].as: an earlier step calls its purchase x"
    ),
    (
      "{ steps: [{ buy: 'pro', by: '' }] }",
      "line 1, column 29: steps[0].by: cannot be empty"
    ),
    ("{ steps: [{ buy: 'pro' }] }", "line 1, column 11: steps[0].by: is missing"),
    (
      "{ customers: { ada: {} }, steps: [{ buy: 'pro', by: 'eda' }] }",
      "line 1, column 53: steps[0].by: no customer is named eda; there are ada"
    ),
    (
      "{ steps: [{ refund: 'ada.pro#0' }] }",
      "line 1, column 21: steps[0].refund: expected a purchase such as ada.pro or ada.pro#2, "
        + "found ada.pro#0"
    ),
    (
      "{ steps: [{ test: true, wait: '1d' }] }",
      "line 1, column 25: steps[0]: a step does one thing, and this one does test and wait"
    ),
    (
      "{ steps: [{ at: '1d', after: '1d', test: true }] }",
      "line 1, column 17: steps[0].at: stands beside after: one of them is enough"
    ),
    (
      "{ steps: [{ requestRefund: 'ada.pro', because: 'other' }] }",
      "line 1, column 48: steps[0].because: expected one of FULFILLMENT_ISSUE, LEGAL, OTHER, "
        + "UNINTENDED_PURCHASE, UNSATISFIED_WITH_PURCHASE, found other"
    ),
    (
      "{ steps: [{ test: true, forged: 'badly' }] }",
      "line 1, column 33: steps[0].forged: expected one of "
        + Forgery.allCases.map(\.rawValue).sorted().joined(separator: ", ") + ", found badly"
    ),
    (
      "{ products: [{ id: 'x', type: 'consumable', price: '1.2345' }], steps: [] }",
      "line 1, column 52: products[0].price: expected an amount such as '9.99', found 1.2345"
    ),
    (
      "{ products: [{ id: 'x', type: 'consumable', period: 'P1M' }], steps: [] }",
      "line 1, column 53: products[0].period: belongs to a subscription, and this is none"
    ),
    (
      "{ products: [{ id: 'x', type: 'subscription', period: 'month' }], steps: [] }",
      "line 1, column 55: products[0].period: expected a period such as P1W, P1M or P1Y, "
        + "found month"
    ),
    (
      "{ steps: [{ buy: 'pro', by: 'ada', offer: 'gift' }] }",
      "line 1, column 43: steps[0].offer: no offer is named gift; "
        + "there are introductory, loyalty, come-back"
    ),
    (
      "{ customers: { ada: { storefront: 'XYZ' } }, steps: [] }",
      "line 1, column 35: customers.ada.storefront: expected one of "
        + Storefront.codes.joined(separator: ", ") + ", found XYZ"
    ),
    (
      "{ catalog: 'Shop.storekit', steps: [] }",
      "line 1, column 12: catalog: there is no file Shop.storekit beside this one"
    ),
    (
      "{ steps: [{ refund: 'ada.pro' }] }",
      "line 1, column 13: this cannot happen: Nothing was bought under the name ada.pro."
    ),
    (
      "{ steps: [{ buy: 'pro', by: 'ada' }, { refund: 'ada.pro#2' }] }",
      "line 1, column 40: this cannot happen: "
        + "ada.pro has 1 periods, and the step speaks of number 2."
    ),
    (
      "{ steps: [{ buy: 'coins', by: 'ada' }, { renew: 'ada.coins' }] }",
      "line 1, column 42: this cannot happen: "
    ),
    (
      "{ steps: [{ buy: 'pro', by: 'ada' }, { at: '3d 12h', refund: 'ada.pro' },\n"
        + "  { at: '2d', reverse: 'ada.pro' }] }",
      "line 2, column 5: at: 2d after the start is over: the step before happens 3d 12h after it; "
        + "steps stand in the order in which they happen"
    ),
    (
      "{ steps: [{ buy: 'pro', by: 'ada' }, { renew: 'ada.pro' }, { at: '1d', test: true }] }",
      "line 1, column 62: at: 1d after the start is over: the step before happens 29d 23h after it"
    ),
    (
      "{ steps: [{ sendAgain: 'REFUND' }] }",
      "line 1, column 13: this cannot happen: No notification REFUND was sent before."
    ),
    (
      "{ faults: { calls: [{ endpoint: 'history' }] }, steps: [] }",
      "line 1, column 21: faults.calls[0].code: is missing"
    ),
    ("{ steps: [{ test: false }] }", "line 1, column 19: steps[0].test: expected true"),
    (
      "{ steps: [{ upgrade: 'ada.pro', to: 'pro' }] }",
      "line 1, column 13: steps[0]: no step is named upgrade; changePlan does that"
    ),
    (
      "{ products: [], steps: [{ buy: 'pro', by: 'ada' }] }",
      "line 1, column 32: steps[0].buy: nothing is for sale here"
    ),
    (
      "{ faults: { calls: [{ endpoint: 'histry', code: 5000001 }] }, steps: [] }",
      "line 1, column 33: faults.calls[0].endpoint: expected one of transactionInfo, "
        + "appTransactionInfo, history, historyV1, statuses, refundHistory, refundHistoryV1, "
        + "notificationHistory, requestTest, testStatus, orderLookup, consumption, "
        + "consumptionV1, extend, extendMass, massStatus, setAppAccountToken, finish, found histry"
    ),
  ]

  @Test(arguments: [
    ("{ title: '', steps: [] }", "title"), ("{ environment: '', steps: [] }", "environment"),
    ("{ grace: '', steps: [] }", "grace"), ("{ catalog: ' ', steps: [] }", "catalog"),
    ("{ customers: { ada: { family: '' } }, steps: [] }", "customers.ada.family"),
    ("{ customers: { ada: { storefront: '' } }, steps: [] }", "customers.ada.storefront"),
    ("{ products: [{ id: '', type: 'consumable' }], steps: [] }", "products[0].id"),
    ("{ products: [{ id: 'x', type: '' }], steps: [] }", "products[0].type"),
    (
      "{ products: [{ id: 'x', type: 'consumable', currency: '' }], steps: [] }",
      "products[0].currency"
    ),
    (
      "{ products: [{ id: 'x', type: 'subscription', group: '' }], steps: [] }",
      "products[0].group"
    ),
    (
      "{ products: [{ id: 'x', type: 'subscription', offers: [{ id: '' }] }], steps: [] }",
      "products[0].offers[0].id"
    ),
    ("{ steps: [{ buy: '', by: 'ada' }] }", "steps[0].buy"),
    ("{ steps: [{ buy: 'pro', by: '' }] }", "steps[0].by"),
    ("{ steps: [{ buy: 'pro', by: 'ada', as: '' }] }", "steps[0].as"),
    ("{ steps: [{ buy: 'pro', by: 'ada', offer: '' }] }", "steps[0].offer"),
    ("{ steps: [{ say: '' }] }", "steps[0].say"),
    ("{ steps: [{ say: 'TEST', subtype: '' }] }", "steps[0].subtype"),
    ("{ steps: [{ sendAgain: '' }] }", "steps[0].sendAgain"),
    ("{ steps: [{ externalToken: '' }] }", "steps[0].externalToken"),
    ("{ steps: [{ test: true, forged: '' }] }", "steps[0].forged"),
    ("{ steps: [{ wait: '\\t' }] }", "steps[0].wait"),
    ("{ steps: [{ extendAll: 'pro', days: 1, request: '' }] }", "steps[0].request"),
    ("{ faults: { outages: [{ at: '', for: '1h' }] }, steps: [] }", "faults.outages[0].at"),
  ])
  func `an empty text is refused wherever it stands`(text: String, path: String) throws {
    let failure = try #require(Self.failure(text))
    #expect("\(failure)".hasSuffix(": \(path): cannot be empty"), "\(failure)")
  }

  @Test func `a payload may hold an empty text, and a list of storefronts none`() throws {
    #expect(Self.failure("{ steps: [{ test: true, with: { data: { x: '' } } }] }") == nil)
    let failure = try #require(
      Self.failure("{ steps: [{ extendAll: 'pro', days: 1, storefronts: ['USA', ''] }] }"))
    #expect("\(failure)".hasSuffix("steps[0].storefronts: holds a text that is empty"))
  }

  @Test(arguments: broken)
  func `a file that cannot be used says where and why`(text: String, says: String) throws {
    let failure = try #require(Self.failure(text))
    #expect(failure.hasPrefix(says))
  }

  @Test(arguments: [(0, "0s"), (999, "0s"), (90_061_000, "1d 1h 1m 1s"), (7_200_000, "2h")])
  func `a time is told as it is written`(milliseconds: Int64, words: String) {
    #expect(TimeSpan(milliseconds: milliseconds).words == words)
  }

  @Test func `two steps may happen at the same time of the story`() {
    let text = "{ steps: [{ at: '1d', buy: 'pro', by: 'ada' }, { at: '1d', refund: 'ada.pro' }] }"
    #expect(Self.failure(text) == nil)
  }

  @Test func `a step that says nothing lists what can be said`() throws {
    let failure = try #require(Self.failure("{ steps: [{ after: '1d' }] }"))
    #expect(failure.hasPrefix("line 1, column 11: steps[0]: a step does one of: buy, "))
    #expect(Self.failure("{ steps: [{ refnud: 'ada.pro' }] }")?.contains("refund meant?") == true)
  }

  @Test func `two lines are a scenario`() throws {
    let text = "{ steps: [{ buy: 'pro', by: 'ada' }, { after: '3d 12h', refund: 'ada.pro' }] }"
    let scenario = try Scenario(json5: Array(text.utf8), name: "own")
    #expect(scenario.title == "own")
    let store = try scenario.played(seed: 1, endingAt: ScenarioTests.end)
    #expect(
      Storyline.lines(of: store) == [
        "SUBSCRIBED/INITIAL_BUY pro t1 st1 rn1",
        "REFUND pro t1 REFUND_FULL 100000 because 0 st5 rn0",
      ])
    let dates = store.notifications.compactMap(\.payload.signedDate)
    #expect(dates[1] == dates[0].adding(.hours(84)))
  }

  @Test func `a whole file is read`() throws {
    let text = """
      {
        title: 'All of it', environment: 'production', grace: '6d',
        products: [{
          id: 'x.gold', type: 'subscription', price: '8', currency: 'EUR', period: 'P1Y',
          group: 'g', level: 2, familyShareable: true, commitment: 12,
          items: [{ sku: 'a', price: '3.5' }],
          offers: [
            { type: 'introductory', discount: 'payUpFront', period: 'P3M', price: '2' },
            { type: 'winBack', id: 'back', discount: 'payAsYouGo', period: 'P1M', price: '1' },
          ],
        }],
        customers: { ada: { token: false, storefront: 'DEU', family: 'home' } },
        steps: [{ buy: 'gold', by: 'ada', as: 'it', note: 'a remark' }, { at: '2d', wait: '0s' }],
        faults: {
          outages: [{ at: '1d', for: '2h' }], duplicate: 10, drop: 20, delay: 30, delayUpTo: '5h',
          resign: true, calls: [{ endpoint: 'history', code: 5000001, times: 3 }],
        },
      }
      """
    let scenario = try Scenario(json5: Array(text.utf8), name: "own")
    #expect(scenario.title == "All of it")
    #expect(scenario.environment == .production)
    #expect(scenario.policy.grace == .days(6))
    let product = try #require(scenario.catalog.first)
    #expect(scenario.catalog.count == 1)
    #expect(product.price == Money(milliunits: 8_000, currency: Currency(code: "EUR")))
    #expect(product.period == .days(365))
    #expect(product.level == 2)
    #expect(product.items == [.init(sku: "a", price: 3_500)])
    #expect(product.offers.map(\.milliunits) == [2_000, 1_000])
    #expect(product.offers.map(\.period) == [.days(90), .days(30)])
    #expect(scenario.faults.outages == [.init(start: .days(1), length: .hours(2))])
    #expect(scenario.faults.duplicatedPerMille == 10)
    #expect(scenario.faults.droppedPerMille == 20)
    #expect(scenario.faults.delayedPerMille == 30)
    #expect(scenario.faults.greatestDelay == .hours(5))
    #expect(scenario.faults.resignsRetries)
    #expect(
      scenario.faults.calls == [CallFault(endpoint: "history", errorCode: 5_000_001, times: 3)])
    let store = try scenario.played(seed: 1, endingAt: ScenarioTests.end)
    let transaction = try #require(store.notifications[0].transaction)
    #expect(transaction.storefront == "DEU")
    #expect(transaction.currency == "EUR")
    #expect(transaction.environment == .production)
    #expect(transaction.appAccountToken == nil)
    #expect(transaction.billingPlanType == .monthly)
  }

  private static let contract: String = {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../docs/contracts/scenario-files.md").standardizedFileURL
    return (try? String(contentsOf: file, encoding: .utf8)) ?? ""
  }()

  @Test(arguments: StepVerb.all.map(\.name))
  func `the contract speaks of every step`(verb: String) {
    #expect(Self.contract.contains("`\(verb)`") || Self.contract.contains("`\(verb): "))
  }

  @Test func `the program holds the files of the folder, byte for byte`() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Sources/AppStoreSimulator/Stories").standardizedFileURL
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(Set(files) == Set(Scenario.all.map { $0.name + ".json5" }))
    for scenario in Scenario.all {
      let file = try Data(contentsOf: folder.appending(path: scenario.name + ".json5"))
      #expect(Scenario.file(of: scenario.name) == Array(file))
    }
    #expect(Scenario.file(of: "05") == nil)
  }

  @Test func `the contract's own example can be played`() throws {
    let parts = Self.contract.components(separatedBy: "```")
    let example = try #require(parts.dropFirst().first?.dropFirst("json5".count))
    #expect(Self.failure(String(example)) == nil)
  }

  @Test(arguments: [
    ("90s", TimeSpan.seconds(90)), ("1w 2d", .days(9)), ("12h", .hours(12)), ("0m", .zero),
  ])
  func `a time is a number with a unit`(words: String, span: TimeSpan) {
    #expect(TimeSpan(words: words) == span)
  }

  @Test(arguments: ["", "3", "d", "-1d", "1x", "1.5h"])
  func `anything else is no time`(words: String) {
    #expect(TimeSpan(words: words) == nil)
  }

  @Test(arguments: [
    ("P1W", TimeSpan.days(7)), ("P1M", .days(30)), ("P2M", .days(60)), ("P12M", .days(365)),
    ("P1Y", .days(365)), ("P3D", .days(3)),
  ])
  func `a period has one unit`(text: String, span: TimeSpan) {
    #expect(TimeSpan(period: text) == span)
  }
}
