import AppStoreModel

/// Signs what a receiver must refuse: all is in order but for one thing.
struct Forger {
  private let seed: UInt64
  private let forgery: Forgery
  private let honest: CertificateAuthority

  init(seed: UInt64, _ forgery: Forgery) {
    self.seed = seed
    self.forgery = forgery
    honest = CertificateAuthority(seed: seed)
  }

  func sign(_ notification: UnsignedNotification) -> String {
    let spoiled = spoil(notification)
    let jws = signer(for: notification).signHonestly(spoiled, form)
    return forgery == .alteredPayload ? alter(jws) : jws
  }

  private func signer(for notification: UnsignedNotification) -> NotificationSigner {
    let authority = authority(notification)
    return NotificationSigner(JWSSigner(key: authority.leaf.key, header: header(authority)))
  }

  private func authority(_ notification: UnsignedNotification) -> CertificateAuthority {
    var intermediate = CertificatePlan.intermediate
    var leaf = CertificatePlan.leaf
    switch forgery {
    case .otherRoot: return CertificateAuthority(seed: ~seed)
    case .leafWithoutMarker: leaf.markers.removeAll { $0 == CertificatePlan.leafMarker }
    case .intermediateWithoutMarker:
      intermediate.markers.removeAll { $0 == CertificatePlan.intermediateMarker }
    case .expiredLeaf:
      let signed = notification.payload.signedDate ?? leaf.notAfter
      leaf.notAfter = signed.subtracting(.days(1))
    default: return honest
    }
    return CertificateAuthority(seed: seed, intermediate: intermediate, leaf: leaf)
  }

  private func header(_ authority: CertificateAuthority) -> JWSHeader {
    var header = JWSHeader(chain: authority.chain)
    switch forgery {
    case .twoCertificates: header.chain?.removeLast()
    case .fourCertificates: header.chain?.append(Base64.standard(authority.root.der))
    case .noCertificates: header.chain = nil
    case .xcode:
      header.chain = [Base64.standard(authority.leaf.der)]
      header.others = [(name: "kid", json: "\"Apple_Xcode_Key\"")]
    case .algorithmNone: header.algorithm = "none"
    case .algorithmHS256: header.algorithm = "HS256"
    case .algorithmES384: header.algorithm = "ES384"
    default: break
    }
    return header
  }

  private var form: SignatureForm {
    switch forgery {
    case .derSignature: .der
    case .emptySignature, .algorithmNone: .empty
    case .algorithmHS256: .hmac(key: honest.leaf.der)
    default: .raw
    }
  }

  private func spoil(_ notification: UnsignedNotification) -> UnsignedNotification {
    var spoiled = notification
    switch forgery {
    case .otherBundle: spoiled.transaction?.bundleId = "com.example.other"
    case .otherRenewal: spoiled.renewal?.originalTransactionId = "2000999999999999"
    case .otherEnvironment:
      let isSandbox = notification.payload.data?.environment == .sandbox
      spoiled.claim(isSandbox ? .production : .sandbox)
    case .xcode: spoiled.claim(.xcode)
    case .futureDate:
      spoiled.payload.signedDate = notification.payload.signedDate?.adding(.days(1))
    case .hugeBody:
      let padding = String(repeating: "x", count: 10_000_000)
      spoiled.alterations.outer.append(JSONValue.Member("padding", .string(padding)))
    default: break
    }
    return spoiled
  }

  /// Writes another letter into the payload: the signature stays that of the old one.
  private func alter(_ jws: String) -> String {
    var bytes = Array(jws.utf8)
    let dots = bytes.indices.filter { bytes[$0] == UInt8(ascii: ".") }
    guard dots.count == 2 else { return jws }
    let place = (dots[0] + dots[1]) / 2
    bytes[place] = bytes[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension UnsignedNotification {
  fileprivate mutating func claim(_ environment: AppStoreEnvironment) {
    payload.data?.environment = environment
    transaction?.environment = environment
    renewal?.environment = environment
  }
}
