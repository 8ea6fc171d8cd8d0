import AppStoreModel
import AppStoreSimulator
import AppStoreVerification
import Testing

/// Certificates spoiled in one place each.
struct ChainTests {
  typealias Change = @Sendable (inout CertificatePlan) -> Void
  typealias Row = (
    spoiled: String, intermediate: Change, leaf: Change, rule: VerificationRule?
  )

  private static let same: Change = { _ in }
  private static let otherName = DistinguishedName("Somebody else", unit: "Elsewhere")

  static let rows: [Row] = [
    ("nothing", same, same, nil),
    ("no key identifiers", { $0.hasKeyIdentifiers = false }, { $0.hasKeyIdentifiers = false }, nil),
    (
      "constraints not critical", { $0.isBasicConstraintsCritical = false },
      { $0.isBasicConstraintsCritical = false }, nil
    ),
    ("no key usage", { $0.keyUsage = nil }, { $0.keyUsage = nil }, nil),
    (
      "P-256 and SHA-256 throughout",
      {
        $0.curve = .p256; $0.digest = .sha256
      },
      { $0.digest = .sha256 }, nil
    ),
    ("a leaf without constraints", same, { $0.isAuthority = nil }, nil),
    ("a leaf on P-384", same, { $0.curve = .p384 }, .chainLeafKey),
    (
      "no constraints at all",
      {
        $0.isAuthority = nil; $0.pathLength = nil
      }, same,
      .chainIntermediate
    ),
    (
      "an intermediate that is no authority",
      {
        $0.isAuthority = false; $0.pathLength = nil
      }, same,
      .chainIntermediate
    ),
    (
      "an intermediate that may not issue", { $0.keyUsage = .digitalSignature }, same,
      .chainIntermediate
    ),
    ("a leaf that is an authority", same, { $0.isAuthority = true }, .chainLeaf),
    ("a leaf that may only issue", same, { $0.keyUsage = .certificateSigning }, .chainLeaf),
    ("an intermediate naming another issuer", { $0.statedIssuer = otherName }, same, .chainPath),
    ("a leaf naming another issuer", same, { $0.statedIssuer = otherName }, .chainPath),
    ("critical markers on the leaf", same, { $0.areMarkersCritical = true }, .chainPath),
    ("critical markers above", { $0.areMarkersCritical = true }, same, .chainPath),
    (
      "a neighbour of the leaf's marker", same, { $0.markers = ["1.2.840.113635.100.6.11.2"] },
      .markersLeaf
    ),
    (
      "a neighbour of the intermediate's marker", { $0.markers = ["1.2.840.113635.100.6.2.2"] },
      same, .markersIntermediate
    ),
    (
      "the markers exchanged", { $0.markers = [CertificatePlan.leafMarker] },
      { $0.markers = [CertificatePlan.intermediateMarker] }, .markersLeaf
    ),
  ]

  @Test(arguments: rows.indices)
  func `a chain is refused for the one thing wrong with it`(row: Int) throws {
    let row = Self.rows[row]
    var plans = [CertificatePlan.intermediate, .leaf]
    row.intermediate(&plans[0])
    row.leaf(&plans[1])
    let store = SampleStore(intermediate: plans[0], leaf: plans[1])
    let verifier = try SampleStore.good.verifier()
    let refusal = verifier.refusal(ofTransaction: store.transaction())
    #expect(refusal?.cause == row.rule, "\(row.spoiled): \(refusal?.description ?? "accepted")")
  }

  typealias Listing = (
    listed: String, rule: VerificationRule?, chain: @Sendable ([[UInt8]]) -> [[UInt8]]
  )

  static let listings: [Listing] = [
    ("as it should be", nil, { $0 }),
    ("another third certificate", nil, { [$0[0], $0[1], SampleStore(seed: 2).rootCertificate] }),
    ("a third that is no certificate", nil, { [$0[0], $0[1], Array("anything".utf8)] }),
    ("leaf only", .chainLength, { [$0[0]] }),
    ("without the root", .chainLength, { [$0[0], $0[1]] }),
    ("four", .chainLength, { $0 + [$0[2]] }),
    ("leaf and intermediate exchanged", .chainLeafKey, { [$0[1], $0[0], $0[2]] }),
    ("the root in the intermediate's place", .chainPath, { [$0[0], $0[2], $0[2]] }),
    ("the leaf twice", .chainIntermediate, { [$0[0], $0[0], $0[2]] }),
    ("a truncated leaf", .chainCertificates, { [$0[0].dropLast(), $0[1], $0[2]] }),
    ("a leaf with a byte after it", .chainCertificates, { [$0[0] + [0], $0[1], $0[2]] }),
    ("a truncated intermediate", .chainCertificates, { [$0[0], $0[1].dropLast(), $0[2]] }),
    ("an empty leaf", .chainCertificates, { [[], $0[1], $0[2]] }),
    ("a leaf that is text", .chainCertificates, { [Array("abcdef".utf8), $0[1], $0[2]] }),
  ]

  @Test(arguments: listings.indices)
  func `three certificates in their order, the third unread`(row: Int) throws {
    let row = Self.listings[row]
    let store = SampleStore.good
    let signer = store.signer(chain: row.chain(store.authority.chain))
    let refusal = try store.verifier().refusal(ofTransaction: store.transaction(by: signer))
    #expect(refusal?.cause == row.rule, "\(row.listed): \(refusal?.description ?? "accepted")")
  }

  @Test func `a self-signed intermediate leads nowhere`() throws {
    let store = SampleStore.good
    let posing = Certificate.selfSigned(
      .intermediate, key: PrivateKey(.p384, seed: 5, purpose: "posing"))
    let leaf = posing.issue(.leaf, to: store.authority.leaf.key)
    let signer = store.signer(chain: [leaf.der, posing.der, store.rootCertificate])
    #expect(
      try store.verifier().refusal(ofTransaction: store.transaction(by: signer))?.cause
        == .chainPath)
  }

  @Test func `the key found inside a text is not trusted for being there`() throws {
    let forger = Certificate.selfSigned(.leaf, key: PrivateKey(.p256, seed: 6, purpose: "forger"))
    for chain in [[forger.der], [forger.der, forger.der, forger.der]] {
      let signer = JWSSigner(key: forger.key, header: JWSHeader(chain: chain))
      let text = SampleStore.good.wholeNotification(by: signer)
      let refusal = try SampleStore.good.verifier().refusal(ofNotification: text)
      #expect(refusal?.cause == (chain.count == 1 ? .chainLength : .chainIntermediate))
    }
  }

  @Test func `the sample chain is refused under Apple's root`() throws {
    let verifier = try SignedDataVerifier(roots: [.apple], allowed: .any)
    #expect(
      verifier.refusal(ofNotification: SampleStore.good.wholeNotification())?.cause == .chainPath)
  }

  @Test func `what a denied leaf signed is refused`() throws {
    let store = SampleStore.good
    let document = try store.verifier().verifyTransaction(
      Array(store.transaction().utf8), now: SampleStore.now)
    let serial = document.signer.serial.hexadecimal
    let spelt = try CertificateSerial(configured: "00:" + serial.lowercased())
    #expect(spelt == document.signer.serial && spelt.description == serial)
    let verifier = try store.verifier(denied: [spelt])
    #expect(
      verifier.refusal(ofTransaction: store.transaction())
        == VerificationError(.chainDenied, in: .transaction))
    let other = try store.verifier(denied: [CertificateSerial(configured: "0")])
    #expect(other.refusal(ofTransaction: store.transaction()) == nil)
  }

  @Test(arguments: ["", "xyz", "12-34", ":", String(repeating: "1", count: 65)])
  func `what is no serial number cannot be denied`(word: String) {
    #expect(throws: VerificationConfigurationError.unusableSerial(word)) {
      try CertificateSerial(configured: word)
    }
  }
}
