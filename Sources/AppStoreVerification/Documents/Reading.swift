import AppStoreModel

/// A decoded payload: understood, or kept as it is.
enum Reading<Payload: SignedPayload> {
  case understood(Payload)
  case opaque(Opaque)

  init(_ json: [UInt8]) {
    self = json.withUnsafeBufferPointer { buffer in
      do throws(MalformedPayload) {
        return .understood(try Payload(json: buffer))
      } catch {
        return .opaque(Opaque(json: json, reason: error.description))
      }
    }
  }

  var signingDate: Timestamp? {
    switch self {
    case .understood(let payload): payload.signingDate
    case .opaque(let opaque): SigningDate(inPayload: opaque.json)?.moment
    }
  }

  var innerSigningDate: Timestamp? {
    switch self {
    case .understood(let payload): payload.innerSigningDate
    case .opaque: nil
    }
  }

  /// What cannot be understood claims nothing: it is kept and changes nothing.
  var claimedOrigins: [ClaimedOrigin] {
    switch self {
    case .understood(let payload): payload.claimedOrigins
    case .opaque: []
    }
  }

  /// The one place of the server side that vouches for a payload.
  ///
  /// - Precondition: chain, dates, signature and origin were found good.
  func proved(realm: Realm, judgedAt: Timestamp) -> SignedDocument<Payload>.Content {
    switch self {
    case .understood(let payload):
      .understood(Verified(proved: payload, realm: realm, judgedAt: judgedAt))
    case .opaque(let opaque):
      .opaque(Verified(proved: opaque, realm: realm, judgedAt: judgedAt))
    }
  }
}
