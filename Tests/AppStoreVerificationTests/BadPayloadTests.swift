import AppStoreModel
import AppStoreSimulator
import AppStoreVerification
import Testing

/// The thirty bad payloads of docs/contracts/verification-rules.md, and the good one.
struct BadPayloadTests {
  typealias Row = (
    spoiled: String, part: SignedDataKind, rule: VerificationRule,
    text: @Sendable (SampleStore) -> String
  )

  private static let other = SampleStore(seed: 2)
  private static let wrongApp = SamplePayload.transaction.setting(
    "bundleId", "\"com.example.other\"")
  private static let production = SamplePayload.transaction.setting(
    "environment", "\"Production\"")

  static let rows: [Row] = [
    (
      "one bit of the outer signature", .notification, .signature,
      { $0.wholeNotification(.flipped) }
    ),
    (
      "the outer payload, the signature kept", .notification, .signature,
      { withOtherPayload($0.wholeNotification()) }
    ),
    (
      "one bit of the transaction's signature", .transaction, .signature,
      { $0.notification(transaction: $0.transaction(.transaction, .flipped)) }
    ),
    (
      "one bit of the renewal's signature", .renewalInfo, .signature,
      {
        $0.notification(
          transaction: $0.transaction(), renewal: $0.transaction(.renewal, .flipped))
      }
    ),
    (
      "all signed by another key than the leaf's", .notification, .signature,
      { $0.wholeNotification(by: $0.stranger) }
    ),
    (
      "the transaction signed by another key than the leaf's", .transaction, .signature,
      { $0.notification(transaction: $0.transaction(by: $0.stranger)) }
    ),
    (
      "a leaf without its marker", .notification, .markersLeaf,
      { _ in whole(leaf: { $0.markers.removeAll() }) }
    ),
    (
      "a leaf with the intermediate's marker", .notification, .markersLeaf,
      { _ in whole(leaf: { $0.markers = [CertificatePlan.intermediateMarker] }) }
    ),
    (
      "an intermediate without its marker", .notification, .markersIntermediate,
      { _ in whole(intermediate: { $0.markers.removeAll() }) }
    ),
    (
      "an intermediate that is no authority", .notification, .chainIntermediate,
      { _ in
        whole(intermediate: {
          $0.isAuthority = false
          $0.pathLength = nil
          $0.keyUsage = .digitalSignature
        })
      }
    ),
    (
      "three good certificates of another root", .notification, .chainPath,
      { _ in other.wholeNotification() }
    ),
    (
      "leaf and intermediate of another root, the trusted root appended", .notification, .chainPath,
      { good in other.wholeNotification(by: other.signer(chain: otherPair + [good.rootCertificate]))
      }
    ),
    (
      "a leaf of another intermediate", .notification, .chainPath,
      { good in
        let chain = [other.authority.leaf.der] + good.authority.chain.dropFirst()
        return other.wholeNotification(by: other.signer(chain: chain))
      }
    ),
    (
      "the transaction signed under another root", .transaction, .chainPath,
      { $0.notification(transaction: other.transaction()) }
    ),
    (
      "a leaf that had expired before the payload's date", .notification, .datesExpired,
      { _ in whole(leaf: { $0.notAfter = Timestamp(millisecondsSince1970: 1_600_000_000_000) }) }
    ),
    (
      "two certificates", .notification, .chainLength,
      { good in
        good.wholeNotification(by: good.signer(chain: Array(good.authority.chain.prefix(2))))
      }
    ),
    (
      "no certificates", .notification, .chainLength,
      { good in good.wholeNotification(by: good.signer(chain: [])) }
    ),
    (
      "no x5c", .notification, .chainLength,
      { good in good.wholeNotification(by: good.signer { $0.chain = nil }) }
    ),
    (
      "alg none, no signature", .notification, .algorithm,
      { good in good.wholeNotification(by: good.signer { $0.algorithm = "none" }, .empty) }
    ),
    (
      "alg none, a good signature", .notification, .algorithm,
      { good in good.wholeNotification(by: good.signer { $0.algorithm = "none" }) }
    ),
    (
      "alg HS256, keyed with what is public", .notification, .algorithm,
      { good in
        good.wholeNotification(
          by: good.signer { $0.algorithm = "HS256" }, .hmac(key: good.authority.leaf.der))
      }
    ),
    ("the signature in DER form", .notification, .signatureLength, { $0.wholeNotification(.der) }),
    ("64 zero bytes as signature", .notification, .signature, { $0.wholeNotification(.zero) }),
    ("63 bytes of the signature", .notification, .signatureLength, { $0.wholeNotification(.cut) }),
    (
      "the signature and one byte more", .notification, .signatureLength,
      { $0.wholeNotification(.longer) }
    ),
    ("a fourth segment", .notification, .formSegments, { $0.wholeNotification() + ".AAAA" }),
    (
      "another bundle id throughout", .notification, .bundleID,
      {
        $0.notification(
          data: .data.setting("bundleId", "\"com.example.other\""),
          transaction: $0.transaction(wrongApp))
      }
    ),
    (
      "a transaction of another bundle id", .transaction, .bundleID,
      { $0.notification(transaction: $0.transaction(wrongApp)) }
    ),
    (
      "Production throughout", .notification, .environment,
      {
        $0.notification(
          data: .data.setting("environment", "\"Production\""),
          transaction: $0.transaction(production))
      }
    ),
    (
      "a transaction of Production in a sandbox notification", .transaction, .environment,
      { $0.notification(transaction: $0.transaction(production)) }
    ),
  ]

  @Test(arguments: rows.indices)
  func `each bad payload is refused by the rule that the contract names`(row: Int) throws {
    let row = Self.rows[row]
    let refusal = try SampleStore.good.verifier(.sample).refusal(
      ofNotification: row.text(SampleStore.good))
    #expect(
      refusal?.cause == row.rule && refusal?.part == row.part,
      "\(row.spoiled): \(refusal?.description ?? "accepted")")
  }

  @Test(arguments: rows.indices)
  func `a known chain changes no verdict`(row: Int) throws {
    let row = Self.rows[row]
    let verifier = try SampleStore.good.verifier(.sample)
    #expect(verifier.refusal(ofNotification: SampleStore.good.wholeNotification()) == nil)
    #expect(verifier.refusal(ofNotification: row.text(SampleStore.good))?.cause == row.rule)
  }

  @Test func `there are thirty of them, and the unspoiled one is accepted`() throws {
    #expect(Self.rows.count == 30)
    let verifier = try SampleStore.good.verifier(.sample)
    #expect(verifier.refusal(ofNotification: SampleStore.good.wholeNotification()) == nil)
  }

  private static var otherPair: [[UInt8]] { Array(other.authority.chain.prefix(2)) }

  /// A notification of a store with the good store's root and keys, and one spoiled certificate.
  private static func whole(
    intermediate: (inout CertificatePlan) -> Void = { _ in },
    leaf: (inout CertificatePlan) -> Void = { _ in }
  ) -> String {
    var intermediatePlan = CertificatePlan.intermediate
    var leafPlan = CertificatePlan.leaf
    intermediate(&intermediatePlan)
    leaf(&leafPlan)
    return SampleStore(intermediate: intermediatePlan, leaf: leafPlan).wholeNotification()
  }

  private static func withOtherPayload(_ text: String) -> String {
    let parts = text.split(separator: ".")
    let payload = SamplePayload.notification.setting("notificationType", "\"DID_RENEW\"").bytes
    return "\(parts[0]).\(Base64.url(payload)).\(parts[2])"
  }
}
