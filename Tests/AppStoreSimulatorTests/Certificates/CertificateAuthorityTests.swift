import AppStoreModel
import AppStoreSimulator
import CCrypto
import Testing

struct CertificateAuthorityTests {
  @Test func `libcrypto's strict check accepts the chain`() {
    let authority = CertificateAuthority(seed: 1)
    #expect(StrictCheck.verdict(authority.chain) == "ok")
  }

  enum Spoiling: CaseIterable, Sendable {
    case rootWithPathLengthOfNone
    case intermediateThatIsNoAuthority
    case leafThatIsOver
    case leafOfSomebodyElse

    var verdict: String {
      switch self {
      case .rootWithPathLengthOfNone: "path length constraint exceeded"
      case .intermediateThatIsNoAuthority: "invalid CA certificate"
      case .leafThatIsOver: "certificate has expired"
      case .leafOfSomebodyElse: "unable to get local issuer certificate"
      }
    }

    var authority: CertificateAuthority {
      var (root, intermediate, leaf) = (
        CertificatePlan.root, CertificatePlan.intermediate, CertificatePlan.leaf
      )
      switch self {
      case .rootWithPathLengthOfNone: root.pathLength = 0
      case .intermediateThatIsNoAuthority:
        intermediate.isAuthority = false
        intermediate.pathLength = nil
      case .leafThatIsOver: leaf.notAfter = Timestamp(millisecondsSince1970: 1_500_000_000_000)
      case .leafOfSomebodyElse: leaf.statedIssuer = DistinguishedName("Other", unit: "Tests")
      }
      return CertificateAuthority(seed: 1, root: root, intermediate: intermediate, leaf: leaf)
    }
  }

  @Test(arguments: Spoiling.allCases)
  func `a spoiled chain fails for the reason it was spoiled by`(spoiling: Spoiling) {
    #expect(StrictCheck.verdict(spoiling.authority.chain) == spoiling.verdict)
  }

  @Test func `a seed always gives the same root, byte for byte`() {
    let authority = CertificateAuthority(seed: 5)
    #expect(authority.chain == CertificateAuthority(seed: 5).chain)
    #expect(authority.root.fingerprint == CertificateAuthority(seed: 5).root.fingerprint)
    #expect(authority.root.fingerprint != CertificateAuthority(seed: 6).root.fingerprint)
  }

  @Test func `every certificate carries the simulator's mark`() {
    for der in CertificateAuthority(seed: 1).chain {
      #expect(StrictCheck.extensions(of: der).contains(SimulatorMarker.objectIdentifier))
    }
  }

  @Test func `leaf and intermediate carry the App Store's marks`() {
    let authority = CertificateAuthority(seed: 1)
    let leaf = StrictCheck.extensions(of: authority.leaf.der)
    let intermediate = StrictCheck.extensions(of: authority.intermediate.der)
    #expect(leaf.contains(CertificatePlan.leafMarker))
    #expect(!leaf.contains(CertificatePlan.intermediateMarker))
    #expect(intermediate.contains(CertificatePlan.intermediateMarker))
    #expect(!intermediate.contains(CertificatePlan.leafMarker))
  }
}
