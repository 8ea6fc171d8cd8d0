import AppStoreModel
import AppStoreSimulator
import Testing

/// Calls that change something.
struct ChangeAnswerTests {
  private var caller: Caller
  private var ids: [String: String] = [:]

  init() throws {
    var made: [String: String] = [:]
    caller = try Caller { store, now in
      let ada = store.enroll("Ada", family: "f")
      let ben = store.enroll("Ben", family: "f")
      let then = now.subtracting(.days(3))
      made["pro"] = try store.buy(SimulatedProduct.pro.id, by: ada, at: then)
      made["themes"] = try store.buy(SimulatedProduct.themes.id, by: ada, at: then)
      made["coins"] = try store.buy(SimulatedProduct.coins.id, by: ada, quantity: 2, at: then)
      made["season"] = try store.buy(SimulatedProduct.season.id, by: ada, at: then)
      made["share"] = try store.share(made["pro"] ?? "", with: ben, at: then)
      made["renewal"] = try store.renew(made["pro"] ?? "", at: then.adding(.days(1)))
      for name in ["pro", "coins"] { try store.requestRefund(of: made[name] ?? "", at: now) }
    }
    ids = made
  }

  private func id(_ name: String) -> String { ids[name] ?? name }

  @Test(arguments: [
    ("coins", "", "202"), ("themes", "", "202"), ("season", "", "202"), ("pro", "", "202"),
    ("coins", "consumptionPercentage:50000,refundPreference:GRANT_PRORATED", "202"),
    ("coins", "customerConsented:false", "400 4000035"),
    ("coins", "customerConsented:null", "400 4000035"),
    ("coins", "deliveryStatus:null", "400 4000036"), ("coins", "deliveryStatus:0", "400 4000036"),
    ("coins", "sampleContentProvided:null", "400 4000041"),
    ("coins", "refundPreference:PLEASE", "400 4000000"),
    ("coins", "consumptionPercentage:100001", "400 4000000"),
    ("coins", "consumptionPercentage:-1", "400 4000000"),
    ("coins", "deliveryStatus:UNDELIVERED_OTHER,consumptionPercentage:1", "400 4000000"),
    ("coins", "deliveryStatus:UNDELIVERED_OTHER,consumptionPercentage:0", "202"),
    ("coins", "consumptionPercentage:0,refundPreference:GRANT_PRORATED", "400 4000000"),
    ("coins", "consumptionPercentage:100000,refundPreference:GRANT_PRORATED", "400 4000000"),
    ("pro", "consumptionPercentage:1", "400 4000209"), ("share", "", "400 4000185"),
    ("1", "", "404 4040010"), ("x", "", "400 4000006"),
  ])
  mutating func `consumption of the second form`(name: String, change: String, verdict: String) {
    let body = json(
      "customerConsented:true,deliveryStatus:DELIVERED,sampleContentProvided:false", change)
    let path = "/inApps/v2/transactions/consumption/\(id(name))"
    #expect(caller.verdict("PUT", path, body) == verdict)
  }

  @Test(arguments: [
    ("coins", "", "202"), ("pro", "", "202"), ("season", "", "400 4000047"),
    ("themes", "", "400 4000047"), ("share", "", "400 4000185"),
    ("coins", "customerConsented:false", "400 4000035"),
    ("coins", "appAccountToken:null", "400 4000033"),
    ("coins", "appAccountToken:x", "400 4000033"), ("coins", "accountTenure:8", "400 4000032"),
    ("coins", "consumptionStatus:4", "400 4000034"), ("coins", "deliveryStatus:6", "400 4000036"),
    ("coins", "playTime:-1", "400 4000040"), ("coins", "userStatus:5", "400 4000042"),
  ])
  mutating func `consumption of the first form`(name: String, change: String, verdict: String) {
    let body = json("customerConsented:true,appAccountToken:", change)
    let path = "/inApps/v1/transactions/consumption/\(id(name))"
    #expect(caller.verdict("PUT", path, body) == verdict)
  }

  /// The members of both lists as JSON; the second one's stand.
  private func json(_ members: String, _ changes: String) -> String {
    var values: [String: String] = [:]
    for member in (members + "," + changes).split(separator: ",") {
      let parts = member.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let value = String(parts[1])
      let isBare = ["true", "false", "null"].contains(value) || Int(value) != nil
      values[String(parts[0])] = isBare ? value : "\"\(value)\""
    }
    return "{" + values.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}"
  }

  @Test mutating func `the answer decides about the money when its time is over`() throws {
    let path = "/inApps/v2/transactions/consumption/\(id("coins"))"
    let body = json(
      "customerConsented:true,deliveryStatus:DELIVERED,sampleContentProvided:false",
      "refundPreference:GRANT_PRORATED,consumptionPercentage:40000")
    #expect(caller.verdict("PUT", path, body) == "202")
    caller.server.travel(.hours(13), at: caller.now)
    let info = try caller.get("/inApps/v1/transactions/\(id("coins"))")
    let payload = try Caller.payload(info["signedTransactionInfo"]?.string)
    #expect(payload["revocationPercentage"]?.integer == 60_000)
    #expect(payload["revocationType"]?.string == "REFUND_PRORATED")
  }

  @Test(arguments: [
    ("pro", "", "200"), ("pro", "extendByDays:0", "400 4000009"),
    ("pro", "extendByDays:91", "400 4000009"), ("pro", "extendReasonCode:4", "400 4000010"),
    ("pro", "requestIdentifier:", "400 4000011"), ("share", "", "403 4030007"),
    ("themes", "", "403 4030004"), ("1", "", "404 4040005"), ("renewal", "", "404 4040005"),
    ("x", "", "400 4000008"),
  ])
  mutating func `an extension of one`(name: String, change: String, verdict: String) {
    let body = json("extendByDays:10,extendReasonCode:1,requestIdentifier:r", change)
    let path = "/inApps/v1/subscriptions/extend/\(id(name))"
    #expect(caller.verdict("PUT", path, body) == verdict)
  }

  @Test mutating func `a third extension within a year is refused`() throws {
    let body = json("extendByDays:10,extendReasonCode:1,requestIdentifier:r", "")
    let path = "/inApps/v1/subscriptions/extend/\(id("pro"))"
    let before = try caller.get("/inApps/v1/transactions/\(id("renewal"))")
    let old = try Caller.payload(before["signedTransactionInfo"]?.string)["expiresDate"]?.integer
    let answer = caller.call("PUT", path, body)
    let extended = try JSONValue(json: answer.body)
    #expect(extended["success"] == .bool(true))
    #expect(extended["effectiveDate"]?.integer == old.map { $0 + 864_000_000 })
    #expect(caller.verdict("PUT", path, body) == "200")
    #expect(caller.verdict("PUT", path, body) == "403 4030005")
  }

  @Test mutating func `an extension for all takes its time`() throws {
    let path = "/inApps/v1/subscriptions/extend/mass"
    let body = "\"extendByDays\":5,\"extendReasonCode\":0,\"requestIdentifier\":\"r\""
    let product = "\"productId\":\"com.example.app.pro\""
    #expect(caller.verdict("POST", path, "{\(body)}") == "400 4000023")
    #expect(
      caller.verdict("POST", path, "{\(body),\(product),\"storefrontCountryCodes\":[]}")
        == "400 4000027")
    #expect(
      caller.verdict("POST", path, "{\(body),\(product),\"storefrontCountryCodes\":[\"us\"]}")
        == "400 4000028")
    #expect(try caller.post(path, "{\(body),\(product)}")["requestIdentifier"]?.string == "r")
    let status = path + "/com.example.app.pro/r"
    #expect(try caller.get(status)["complete"] == .bool(false))
    #expect(caller.verdict("GET", path + "/com.example.app.pro/x") == "404 4040009")
    caller.server.travel(.hours(3), at: caller.now)
    let done = try caller.get(status)
    #expect(done["complete"] == .bool(true))
    #expect(done["succeededCount"]?.integer == 1)
    #expect(done["failedCount"]?.integer == 0)
    #expect(
      done["completeDate"]?.integer == caller.now.adding(.hours(2)).millisecondsSince1970)
  }

  @Test(arguments: [
    ("pro", "5F0C1A8E-0000-4000-8000-000000000001", "200"), ("pro", "x", "400 4000183"),
    ("share", "5f0c1a8e-0000-4000-8000-000000000001", "400 4000185"),
    ("renewal", "5f0c1a8e-0000-4000-8000-000000000001", "400 4000187"),
    ("1", "5f0c1a8e-0000-4000-8000-000000000001", "404 4040005"),
  ])
  mutating func `a token is set`(name: String, token: String, verdict: String) throws {
    let path = "/inApps/v1/transactions/\(id(name))/appAccountToken"
    #expect(caller.verdict("PUT", path, "{\"appAccountToken\":\"\(token)\"}") == verdict)
    guard verdict == "200" else { return }
    let info = try caller.get("/inApps/v1/transactions/\(id("renewal"))")
    let payload = try Caller.payload(info["signedTransactionInfo"]?.string)
    #expect(payload["appAccountToken"]?.string == token.lowercased())
  }
}
