import AppStoreModel
import AppStoreVerification
import Testing

@testable import AppStoreServerAPI

struct TokenMintTests {
  private static let now = TurningClock.start

  private static func decoded(_ segment: Substring) throws -> JSONValue {
    let bytes = Array(segment.utf8).withUnsafeBufferPointer { Base64URL.decode($0) }
    return try JSONValue(json: try #require(bytes))
  }

  private static func issuedAt(_ token: String?) throws -> Int64? {
    try decoded(try #require(token).split(separator: ".")[1])["iat"]?.integer
  }

  @Test func `a token says what Apple wants and is signed by the key`() throws {
    let token = try #require(TokenMint(.sample()).token(now: Self.now))
    let segments = token.split(separator: ".")
    let header = try Self.decoded(segments[0])
    let claims = try Self.decoded(segments[1])
    #expect(header["alg"]?.string == "ES256" && header["typ"]?.string == "JWT")
    #expect(header["kid"]?.string == "2X9R4HXF34")
    #expect(claims["iss"]?.string == "57246542-96fe-1a63-e053-0824d011072a")
    #expect(claims["aud"]?.string == "appstoreconnect-v1")
    #expect(claims["bid"]?.string == "com.example.app")
    #expect(claims["iat"]?.integer == 1_789_999_940)
    #expect(claims["exp"]?.integer == 1_790_001_140)
    let signature = Array(segments[2].utf8).withUnsafeBufferPointer { Base64URL.decode($0) }
    #expect(signature?.count == 64)
    #expect(
      TestKey.shared.verifies(
        Array("\(segments[0]).\(segments[1])".utf8), try #require(signature)))
  }

  @Test func `a token is kept until shortly before its end`() throws {
    let mint = TokenMint(try .sample())
    let first = mint.token(now: Self.now)
    #expect(mint.token(now: Self.now.adding(.minutes(16))) == first)
    let second = mint.token(now: Self.now.adding(.minutes(17)))
    #expect(second != first)
    // The clock was set back: the newer token would begin in the future.
    #expect(mint.token(now: Self.now) != second)
  }

  @Test func `a refused token is replaced once, however many workers had it`() throws {
    let mint = TokenMint(try .sample())
    let first = try #require(mint.token(now: Self.now))
    #expect(!mint.refuse(first, skew: nil))
    let second = try #require(mint.token(now: Self.now.adding(.seconds(1))))
    #expect(second != first)
    #expect(!mint.refuse(first, skew: TimeSpan(milliseconds: 900)))
    #expect(mint.token(now: Self.now.adding(.seconds(1))) == second)
  }

  @Test(arguments: [-34_000, -4_900, 4_900, 7_200_000])
  func `a clock that is off by more than moments is corrected`(skew: Int64) throws {
    let mint = TokenMint(try .sample())
    let token = try #require(mint.token(now: Self.now))
    let isCorrected = mint.refuse(token, skew: TimeSpan(milliseconds: skew))
    #expect(isCorrected == (abs(skew) > 5_000))
    #expect(mint.skew.milliseconds == (isCorrected ? skew : 0))
    #expect(
      try Self.issuedAt(mint.token(now: Self.now))
        == 1_789_999_940 + (isCorrected ? skew / 1_000 : 0))
  }
}
