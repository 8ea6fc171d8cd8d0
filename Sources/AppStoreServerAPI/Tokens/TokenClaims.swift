import AppStoreModel
import AppStoreVerification

/// What a token says, and the text it says it in.
///
/// Source: Apple's "Generating JSON Web Tokens for API requests".
struct TokenClaims: Hashable, Sendable {
  /// How far the beginning lies back, so that a clock that is a little ahead does no harm.
  static let backdating = TimeSpan.seconds(60)
  /// Apple allows an hour in all; a clock that is a little behind must fit in too.
  static let lifetime = TimeSpan.minutes(20)
  /// Before the end no new call is made with it: the call itself takes time.
  static let margin = TimeSpan.minutes(2)

  let keyId: String
  let issuerId: String
  let bundleId: String
  let issuedAt: Timestamp
  let expiresAt: Timestamp

  /// - Parameters:
  ///   - credentials: the app's.
  ///   - now: by the App Store's clock.
  init(_ credentials: AppCredentials, now: Timestamp) {
    keyId = credentials.keyId
    issuerId = credentials.issuerId
    bundleId = credentials.bundleId
    issuedAt = now.subtracting(Self.backdating)
    expiresAt = issuedAt.adding(Self.lifetime)
  }

  /// Shape: header and payload of a compact JWS, with the dot between them.
  var signingInput: [UInt8] {
    var header = JSONWriter()
    header.object { writer in
      writer.member("alg", "ES256")
      writer.member("kid", keyId)
      writer.member("typ", "JWT")
    }
    var payload = JSONWriter()
    payload.object { writer in
      writer.member("iss", issuerId)
      writer.member("iat", issuedAt.millisecondsSince1970 / 1_000)
      writer.member("exp", expiresAt.millisecondsSince1970 / 1_000)
      writer.member("aud", "appstoreconnect-v1")
      writer.member("bid", bundleId)
    }
    var text: [UInt8] = []
    Base64URL.encode(header.bytes, onto: &text)
    text.append(UInt8(ascii: "."))
    Base64URL.encode(payload.bytes, onto: &text)
    return text
  }

  /// The token; `nil` when libcrypto fails.
  func token(signedBy key: SigningKey) -> String? {
    var text = signingInput
    guard let signature = key.sign(text) else { return nil }
    text.append(UInt8(ascii: "."))
    Base64URL.encode(signature, onto: &text)
    return String(decoding: text, as: UTF8.self)
  }
}
