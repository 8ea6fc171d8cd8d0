import AppStoreModel
import AppStoreSimulator
import AppStoreVerification
import Testing

/// Texts spoiled in several places: the rule that stands first is reported.
struct PrecedenceTests {
  typealias Row = (spoiled: String, rule: VerificationRule, text: @Sendable () -> String)

  private static let wrongOrigin = SamplePayload.data
    .setting("appAppleId", "1").setting("bundleId", "\"x\"").setting(
      "environment", "\"Production\"")

  static let rows: [Row] = [
    (
      "segments and base64url", .formSegments, { "a.b.c.d" }
    ),
    (
      "base64url and header", .formBase64URL, { "e30=.e30.AA" }
    ),
    (
      "header and algorithm", .formHeader, { Base64.url(Array("{\"alg\":1".utf8)) + ".e30." }
    ),
    (
      "algorithm and everything after", .algorithm,
      {
        text(
          store(),
          header: {
            $0.algorithm = "none"; $0.chain = []
          })
      }
    ),
    (
      "chain length and a certificate", .chainLength,
      { text(store(), header: { $0.chain = ["!"] }) }
    ),
    (
      "a certificate and the roles", .chainCertificates,
      { text(store(intermediate: notCA), header: { $0.chain?[0] = "AAAA" }) }
    ),
    (
      "the leaf's key and the roles", .chainLeafKey,
      { text(store(intermediate: notCA, leaf: { $0.curve = .p384 })) }
    ),
    (
      "the intermediate and the leaf", .chainIntermediate,
      { text(store(intermediate: notCA, leaf: isCA)) }
    ),
    ("the leaf and the path", .chainLeaf, { text(store(seed: 2, leaf: isCA)) }),
    ("the path and the markers", .chainPath, { text(store(seed: 2, leaf: { $0.markers = [] })) }),
    (
      "the leaf's marker, the intermediate's, the dates", .markersLeaf,
      {
        text(
          store(
            intermediate: { $0.markers = [] },
            leaf: {
              $0.markers = []; $0.notAfter = .distantlyExpired
            }))
      }
    ),
    (
      "the intermediate's marker and the dates", .markersIntermediate,
      {
        text(
          store(intermediate: { $0.markers = [] }, leaf: { $0.notAfter = .distantlyExpired }))
      }
    ),
    (
      "not yet valid and expired", .datesNotYetValid,
      {
        text(
          store(
            intermediate: { $0.notBefore = .farAhead }, leaf: { $0.notAfter = .distantlyExpired }))
      }
    ),
    (
      "the dates and the signature", .datesExpired,
      { text(store(leaf: { $0.notAfter = .distantlyExpired }), .cut) }
    ),
    ("the signature's length and the origin", .signatureLength, { text(store(), .der) }),
    ("the signature and the origin", .signature, { text(store(), .flipped) }),
    ("the three of the origin", .appID, { text(store()) }),
    (
      "bundle id and environment", .bundleID,
      { text(store(), data: wrongOrigin.setting("appAppleId", "1234567890")) }
    ),
  ]

  @Test(arguments: rows.indices)
  func `of several broken rules the first is reported`(row: Int) throws {
    let row = Self.rows[row]
    let allowed = try AllowedOrigins(
      apps: [ExpectedApp(bundleID: "com.example.app", appAppleID: 1_234_567_890)],
      environments: [.sandbox])
    let refusal = try SampleStore.good.verifier(allowed).refusal(ofNotification: row.text())
    #expect(refusal?.cause == row.rule, "\(row.spoiled): \(refusal?.description ?? "accepted")")
  }

  @Test func `the outer JWS is judged before an inner one, a transaction before a renewal`() throws
  {
    let store = SampleStore.good
    let verifier = try store.verifier(.sample)
    let badTransaction = store.transaction(.transaction, .cut)
    let badRenewal = "a.b.c.d"
    let both = store.notification(transaction: badTransaction, renewal: badRenewal)
    #expect(verifier.refusal(ofNotification: both)?.part == .transaction)
    let outer = store.notification(
      data: .data.setting("environment", "\"Xcode\""), transaction: badTransaction)
    #expect(verifier.refusal(ofNotification: outer)?.part == .notification)
    let renewal = store.notification(transaction: store.transaction(), renewal: badRenewal)
    #expect(
      verifier.refusal(ofNotification: renewal)
        == VerificationError(.formSegments, in: .renewalInfo, isOriginProved: true))
  }

  private static func notCA(_ plan: inout CertificatePlan) {
    plan.isAuthority = false
    plan.pathLength = nil
  }

  private static func isCA(_ plan: inout CertificatePlan) {
    plan.isAuthority = true
  }

  private static func store(
    seed: UInt64 = 1, intermediate: (inout CertificatePlan) -> Void = { _ in },
    leaf: (inout CertificatePlan) -> Void = { _ in }
  ) -> SampleStore {
    var intermediatePlan = CertificatePlan.intermediate
    var leafPlan = CertificatePlan.leaf
    intermediate(&intermediatePlan)
    leaf(&leafPlan)
    return SampleStore(seed: seed, intermediate: intermediatePlan, leaf: leafPlan)
  }

  /// A notification whose origin is wrong in all three ways, and whatever else is asked for.
  private static func text(
    _ store: SampleStore, _ form: SignatureForm = .raw, data: SamplePayload = wrongOrigin,
    header: (inout JWSHeader) -> Void = { _ in }
  ) -> String {
    store.notification(data: data, by: store.signer(header), form)
  }
}

extension Timestamp {
  /// 2020-09-13T12:26:40Z.
  fileprivate static let distantlyExpired = Timestamp(millisecondsSince1970: 1_600_000_000_000)
  /// 2033-05-18T03:33:20Z.
  fileprivate static let farAhead = Timestamp(millisecondsSince1970: 2_000_000_000_000)
}
