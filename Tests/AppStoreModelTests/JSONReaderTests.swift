import AppStoreSimulator
import Testing

@testable import AppStoreModel

struct JSONReaderTests {
  typealias Transaction = JWSTransactionDecodedPayload

  @Test(arguments: [
    ("1697679936049", 1_697_679_936_049),
    ("1697679936049.7297", 1_697_679_936_049),
    ("-62135769600000", -62_135_769_600_000),
    ("-0.5", -1),
    ("1.6e12", 1_600_000_000_000),
  ])
  func `a date is read in whole milliseconds`(json: String, milliseconds: Int64) throws {
    let payload = try read(Transaction.self, "{\"signedDate\": \(json)}")
    #expect(payload.signedDate == Timestamp(millisecondsSince1970: milliseconds))
  }

  @Test func `a price keeps all of its 64 bits`() throws {
    let payload = try read(Transaction.self, #"{"price":9223372036854775807,"currency":"JPY"}"#)
    #expect(payload.price == .max)
  }

  @Test func `null and absence are the same`() throws {
    let payload = try read(Transaction.self, #"{"revocationDate":null,"price":null}"#)
    #expect(payload == Transaction())
  }

  @Test(arguments: [
    (
      #""Gold & \"mehr\" \u00fc \ud83d\ude00 \/\b\f\n\r\t""#,
      "Gold & \"mehr\" ü 😀 /\u{8}\u{c}\n\r\t"
    ),
    (#""Größe 金 aus-_""#, "Größe 金 aus-_"),
    (#""""#, ""),
  ])
  func `text is read with its escapes`(json: String, wanted: String) throws {
    #expect(try read(Transaction.self, "{\"productId\":\(json)}").productId == wanted)
  }

  @Test func `an escaped member name is the same name`() throws {
    #expect(try read(Transaction.self, #"{"pri\u0063e":5}"#).price == 5)
  }

  @Test(arguments: [
    (
      #"{"price":"5"}"#, MalformedPayload.Reason.wrongType(expected: "a number", found: "text"),
      "price"
    ),
    (#"{"productId":5}"#, .wrongType(expected: "text", found: "a number"), "productId"),
    (#"{"productId":{}}"#, .wrongType(expected: "text", found: "an object"), "productId"),
    (#"{"productId":true}"#, .wrongType(expected: "text", found: "true or false"), "productId"),
    (#"{"isUpgraded":[]}"#, .wrongType(expected: "true or false", found: "an array"), "isUpgraded"),
    (#"{"quantity":1.5}"#, .outOfRange(expected: "the whole numbers of 64 bits"), "quantity"),
    (
      #"{"quantity":4294967296}"#, .outOfRange(expected: "the whole numbers of 32 bits"), "quantity"
    ),
    (#"{"signedDate":1e300}"#, .outOfRange(expected: "the years 0 to 9999"), "signedDate"),
    (#"{"signedDate":1e999}"#, .outOfRange(expected: "the finite numbers"), "signedDate"),
    (#"{"price":1,"price":1}"#, .duplicateMember, "price"),
    (#"{"later":1,"later":1}"#, .duplicateMember, ""),
    (
      #"{"advancedCommerceInfo":{"items":[{"price":[]}]}}"#,
      .wrongType(expected: "a number", found: "an array"), "advancedCommerceInfo.items.price"
    ),
    (#"{"price":nul}"#, .notJSON(expected: "null"), ""),
    ("", .notJSON(expected: "an object"), ""),
    ("5", .wrongType(expected: "an object", found: "a number"), ""),
    ("{", .notJSON(expected: "a member or }"), ""),
    (#"{"a":1 "b":2}"#, .notJSON(expected: "a comma or }"), ""),
    (#"{"a":1,}"#, .notJSON(expected: "a member name"), ""),
    (#"{"a" 1}"#, .notJSON(expected: "a colon"), ""),
    (#"{"a""#, .notJSON(expected: "a colon"), ""),
    (#"{"a":[1,]}"#, .notJSON(expected: "an element"), ""),
    (#"{"a":[1 2]}"#, .notJSON(expected: "a comma or ]"), ""),
    (#"{"a":["#, .notJSON(expected: "an element or ]"), ""),
    (#"{"a":tru}"#, .notJSON(expected: "true"), ""),
    (#"{"a":f"#, .notJSON(expected: "false"), ""),
    (#"{"a":01}"#, .notJSON(expected: "a comma or }"), ""),
    (#"{"a":1.}"#, .notJSON(expected: "a digit"), ""),
    (#"{"a":"#, .notJSON(expected: "a value"), ""),
    (#"{"a":?}"#, .notJSON(expected: "a value"), ""),
    (#"{"a":"x"#, .notJSON(expected: "a closing quote"), ""),
    (#"{"a":"x\"#, .notJSON(expected: "a closing quote"), ""),
    ("{\"a\":\"x\u{1}\"}", .notJSON(expected: "an escape in place of a control character"), ""),
    (#"{"a":"\q"}"#, .notJSON(expected: "an escape"), ""),
    (#"{"a":"\u12"}"#, .notJSON(expected: "four hexadecimal digits"), ""),
    (#"{"a":"\u12G4"}"#, .notJSON(expected: "four hexadecimal digits"), ""),
    (#"{"a":"\ud800"}"#, .notJSON(expected: "a surrogate pair"), ""),
    (#"{"a":"\ud800\u0041"}"#, .notJSON(expected: "a surrogate pair"), ""),
    (#"{"a":1} x"#, .notJSON(expected: "the end"), ""),
  ])
  func `what is no payload is refused by name`(
    json: String, reason: MalformedPayload.Reason, path: String
  ) {
    let error = #expect(throws: MalformedPayload.self) { try read(Transaction.self, json) }
    #expect(error?.reason == reason)
    #expect(error?.path == path)
  }

  @Test func `deep nesting is refused before it can exhaust the stack`() {
    let deep = "{\"a\":" + String(repeating: "[", count: 100_000)
    let error = #expect(throws: MalformedPayload.self) { try read(Transaction.self, deep) }
    #expect(error?.reason == .tooDeep)
  }

  @Test(arguments: [[0x22, 0xC3, 0x28, 0x22], [0x22, 0x5C, 0x6E, 0xFF, 0x22]] as [[UInt8]])
  func `text that is not UTF-8 is refused`(value: [UInt8]) {
    let json = Array(#"{"productId":"#.utf8) + value + Array("}".utf8)
    let error = #expect(throws: MalformedPayload.self) {
      try json.withUnsafeBufferPointer { try Transaction(json: $0) }
    }
    #expect(error?.reason == .invalidUTF8)
  }

  @Test func `an error tells kinds and places, never values`() {
    let error = #expect(throws: MalformedPayload.self) {
      try read(ResponseBodyV2DecodedPayload.self, #"{"data":{"bundleId":["secret"]}}"#)
    }
    #expect(
      error.map(String.init(describing:))
        == "text expected, found an array in data.bundleId, at byte 20")
  }

  @Test func `no mutation of a payload brings the reader down`() throws {
    let text =
      #"{"transactionId":"1","price":4990,"currency":"USD","x":[1,{"y":"\u00e4"}],"isUpgraded":true}"#
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<20_000 {
      var bytes = Array(text.utf8)
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        bytes[Int.random(in: bytes.indices, using: &generator)] = .random(
          in: 0...255, using: &generator)
      }
      let payload = try? bytes.withUnsafeBufferPointer { try Transaction(json: $0) }
      if let payload {
        #expect(try read(Transaction.self, AppStoreModelTests.text(payload)) == payload)
      }
    }
  }
}
