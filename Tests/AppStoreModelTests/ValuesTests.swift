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
