/// The three certificates under which a simulated App Store signs.
///
/// A seed always gives the same keys and, with the same plans, the same certificates byte for byte:
/// a server that was told to trust a seed's root trusts it in every later run.
package struct CertificateAuthority: Sendable {
  package let seed: UInt64
  package let root: Certificate
  package let intermediate: Certificate
  package let leaf: Certificate

  /// Makes the keys and the certificates.
  ///
  /// - Parameters:
  ///   - seed: what the keys are made from.
  ///   - rootPlan: the root, vouching for itself.
  ///   - intermediatePlan: issued by the root.
  ///   - leafPlan: issued by the intermediate.
  package init(
    seed: UInt64, root rootPlan: CertificatePlan = .root,
    intermediate intermediatePlan: CertificatePlan = .intermediate,
    leaf leafPlan: CertificatePlan = .leaf
  ) {
    self.seed = seed
    func key(_ plan: CertificatePlan, _ purpose: String) -> PrivateKey {
      PrivateKey(plan.curve, seed: seed, purpose: purpose)
    }
    root = Certificate.selfSigned(rootPlan, key: key(rootPlan, "root"))
    intermediate = root.issue(intermediatePlan, to: key(intermediatePlan, "intermediate"))
    leaf = intermediate.issue(leafPlan, to: key(leafPlan, "leaf"))
  }

  /// The certificates as a JWS lists them: leaf, intermediate, root.
  ///
  /// Shape: DER, three of them.
  package var chain: [[UInt8]] { [leaf.der, intermediate.der, root.der] }
}
