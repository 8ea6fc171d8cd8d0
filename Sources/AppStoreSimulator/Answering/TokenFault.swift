import AppStoreModel

/// Why a call is not authorized.
package enum TokenFault: String, Error, Hashable, Sendable {
  case missing = "The Authorization field holds no bearer token."
  case malformed = "The token is not a compact JWS of two JSON objects."
  case algorithm = "The token's alg is not ES256."
  case unknownKey = "The token's kid is not the key's id."
  case signature = "The token's signature is not the key's, in the form r and s."
  case issuer = "The token's iss is not the issuer's id."
  case audience = "The token's aud is not appstoreconnect-v1."
  case bundle = "The token's bid is not the app's bundle id."
  case notYet = "The token's iat is in the future."
  case expired = "The token's exp is missing or past."
  case lifetime = "The token's exp is more than 60 minutes after its iat, or after now without one."
  case notReleased = "The app has not been released."
}

extension APIKey {
  /// Checks the token that a call carries.
  ///
  /// - Parameters:
  ///   - authorization: the field's value.
  ///   - bundleId: the app that is called for.
  ///   - now: by the server's clock.
  /// - Throws: the first ``TokenFault`` of the list that holds.
  func check(
    _ authorization: String?, bundleId: String, at now: Timestamp
  ) throws(TokenFault) {
    guard let authorization, authorization.hasPrefix("Bearer ") else { throw .missing }
    let parts = authorization.dropFirst(7).split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let header = Self.object(parts[0]), let claims = Self.object(parts[1])
    else { throw .malformed }
    guard header["alg"]?.string == "ES256" else { throw .algorithm }
    guard header["kid"]?.string == keyId else { throw .unknownKey }
    let signed = Array("\(parts[0]).\(parts[1])".utf8)
    guard let signature = Base64.decodedURL(parts[2]),
      key.isSignature(signature, of: signed, .sha256)
    else { throw .signature }
    guard claims["iss"]?.string == issuerId else { throw .issuer }
    guard claims["aud"]?.string == "appstoreconnect-v1" else { throw .audience }
    guard claims["bid"]?.string == bundleId else { throw .bundle }
    try Self.checkTimes(claims, at: now)
  }

  private static func checkTimes(_ claims: JSONValue, at now: Timestamp) throws(TokenFault) {
    let now = now.millisecondsSince1970 / 1_000
    // Apple's own libraries for Python and others state no iat.
    let issued = claims["iat"]?.integer ?? now
    guard issued <= now else { throw .notYet }
    guard let end = claims["exp"]?.integer, end > now else { throw .expired }
    guard end - issued <= 3_600 else { throw .lifetime }
  }

  private static func object(_ part: Substring) -> JSONValue? {
    guard let bytes = Base64.decodedURL(part), let value = try? JSONValue(json: bytes),
      case .object = value
    else { return nil }
    return value
  }
}
