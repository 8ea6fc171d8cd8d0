import Testing

@testable import AppStoreModel

struct ValuesTests {
  @Test func `a moment stays within its range`() {
    #expect(Timestamp.distantFuture.adding(.days(1)) == .distantFuture)
    #expect(Timestamp.distantPast.subtracting(.days(1)) == .distantPast)
    #expect(
      Timestamp.distantPast.adding(TimeSpan(milliseconds: .min)) == .distantPast)
    #expect(
      Timestamp(millisecondsSince1970: 0).subtracting(TimeSpan(milliseconds: .min))
        == Timestamp(millisecondsSince1970: .max))
    #expect(Timestamp(millisecondsSince1970: 1) < Timestamp(millisecondsSince1970: 2))
  }

  @Test func `a span stays within its range`() {
    #expect(Timestamp.distantFuture.span(since: .distantPast) == TimeSpan(milliseconds: .max))
    #expect(Timestamp.distantPast.span(since: .distantFuture) == TimeSpan(milliseconds: .min))
    let start = Timestamp(millisecondsSince1970: 0)
    #expect(start.adding(.days(2)).span(since: start) == .days(2))
    #expect(start.span(since: start.adding(.days(2))) == .days(-2))
    #expect(TimeSpan.days(.max) == TimeSpan(milliseconds: .max))
    #expect(TimeSpan.seconds(.min) == TimeSpan(milliseconds: .min))
    #expect(TimeSpan.days(.max).adding(.days(1)) == TimeSpan(milliseconds: .max))
    #expect(TimeSpan.days(.min).adding(.days(-1)) == TimeSpan(milliseconds: .min))
    #expect(TimeSpan.days(1).adding(.hours(1)) == .hours(25))
  }

  @Test(arguments: [Timestamp.distantPast, .distantFuture])
  func `every moment can be written`(moment: Timestamp) {
    #expect(moment.rfc3339.hasSuffix("Z"))
  }

  @Test(
    arguments: [
      ("-9223372036854775808", false), ("9223372036854775807", false), ("1e300", false),
      ("-62167219200001", false), ("-62167219200000", true), ("-62135769600000", true),
      ("0", true), ("253402300799999", true), ("253402300799999.9", true),
      ("253402300800000", false),
    ])
  func `a payload names moments of the years 0 to 9999`(number: String, isNameable: Bool) throws {
    let json = Array("{\"revocationDate\":\(number)}".utf8)
    let read = try? json.withUnsafeBufferPointer { try JWSTransactionDecodedPayload(json: $0) }
    #expect((read?.revocationDate != nil) == isNameable)
    guard !isNameable else { return }
    let failure = #expect(throws: MalformedPayload.self) {
      try json.withUnsafeBufferPointer { try JWSTransactionDecodedPayload(json: $0) }
    }
    #expect(failure?.reason == .outOfRange(expected: "the years 0 to 9999"))
    #expect(failure?.path == "revocationDate")
  }

  @Test func `spans add up`() {
    #expect(TimeSpan.days(1) == .hours(24))
    #expect(TimeSpan.minutes(1) == .seconds(60))
    #expect(TimeSpan.zero < .seconds(1))
  }

  @Test(arguments: [(-1, false), (0, true), (100_000, true), (100_001, false)] as [(Int32, Bool)])
  func `a share lies between nothing and the whole`(milliunits: Int32, valid: Bool) {
    #expect((RevokedShare(percentMilliunits: milliunits) != nil) == valid)
  }

  @Test func `shares and currencies have an order`() throws {
    #expect(try #require(RevokedShare(percentMilliunits: 25_000)) < .whole)
    #expect(Currency(code: "EUR") < Currency(code: "USD"))
  }

  @Test(arguments: ["apple", "test:" + String(repeating: "0a", count: 32)])
  func `a realm is read as it is written`(text: String) {
    #expect(Realm(text)?.description == text)
  }

  @Test(arguments: ["", "Apple", "test:", "test:00", "test:" + String(repeating: "0A", count: 32)])
  func `no other text names a realm`(text: String) {
    #expect(Realm(text) == nil)
  }

  @Test(arguments: ["Production", "Sandbox", "Xcode", "LocalTesting", "Orbit"])
  func `an environment keeps its name`(name: String) {
    #expect(AppStoreEnvironment(rawValue: name).rawValue == name)
  }

  @Test func `both spellings of a migration mean one`() {
    #expect(NotificationType(rawValue: "MIGRATE").meansMigration)
    #expect(NotificationType(rawValue: "MIGRATION").meansMigration)
    #expect(!NotificationType(rawValue: "REFUND").meansMigration)
    #expect(NotificationType(rawValue: "MIGRATE").rawValue == "MIGRATE")
  }
}

struct TextFormsTests {
  @Test(
    arguments: [
      (0, "1970-01-01T00:00:00Z"), (1_648_000_000_123, "2022-03-23T01:46:40.123Z"),
      (-1, "1969-12-31T23:59:59.999Z"), (951_782_400_000, "2000-02-29T00:00:00Z"),
      (-62_135_596_800_000, "0001-01-01T00:00:00Z"), (4_102_444_799_000, "2099-12-31T23:59:59Z"),
    ] as [(Int64, String)])
  func `a moment is written and read in UTC`(milliseconds: Int64, text: String) {
    #expect(Timestamp(millisecondsSince1970: milliseconds).rfc3339 == text)
    #expect(Timestamp(rfc3339: text)?.millisecondsSince1970 == milliseconds)
  }

  @Test(arguments: [
    "", "2026-11-30", "2026-11-30T00:00:00", "2026-02-30T00:00:00Z", "2026-13-01T00:00:00Z",
    "2026-11-30T24:00:00Z", "2026-11-30T00:60:00Z", "2026-11-30T00:00:xZ", "2026-11-30T00:00:00.Z",
    "26-11-30T00:00Z", "2026-11-30T00:00:00.1.2Z",
  ])
  func `other text is no moment`(text: String) {
    #expect(Timestamp(rfc3339: text) == nil)
  }

  @Test func `milliseconds are a moment too`() {
    #expect(Timestamp(rfc3339: "1648000000123")?.rfc3339 == "2022-03-23T01:46:40.123Z")
    #expect(Timestamp(rfc3339: "2022-03-23T01:46:40.5Z")?.rfc3339 == "2022-03-23T01:46:40.500Z")
  }

  @Test(
    arguments: [
      (9_990, "USD", "9.99 USD"), (1_500_000, "JPY", "1500 JPY"), (1_250, "KWD", "1.250 KWD"),
      (24_895, "USD", "24.895 USD"), (-500, "EUR", "-0.50 EUR"), (500_001, "JPY", "500.001 JPY"),
      (0, "USD", "0.00 USD"),
    ] as [(Int64, String, String)])
  func `an amount is shown with its currency's decimals`(
    milliunits: Int64, currency: String, text: String
  ) {
    #expect(Money(milliunits: milliunits, currency: Currency(code: currency)).text == text)
  }
}
