import AppStoreModel

extension Scope {
  /// What one part of a fact says of where it belongs.
  struct Claim {
    let realm: Realm
    let bundleId: String?
    let environment: AppStoreEnvironment?
  }

  /// The one scope that all claims agree on; what a claim leaves out, another must say.
  init(agreedBy claims: [Claim]) throws(UnusableFact) {
    let bundleIds = claims.compactMap(\.bundleId)
    let environments = claims.compactMap(\.environment).filter(\.isKnown)
    guard let first = claims.first, let bundleId = bundleIds.first else {
      throw .missing("bundleId")
    }
    guard claims.allSatisfy({ $0.realm == first.realm }),
      bundleIds.allSatisfy({ $0 == bundleId }),
      environments.allSatisfy({ $0 == environments.first })
    else { throw .scopesDiffer }
    guard let environment = environments.first else { throw .environmentUnknown }
    self.init(realm: first.realm, bundleId: bundleId, environment: environment)
  }
}

extension AppStoreEnvironment {
  var isKnown: Bool {
    if case .unknown = self { false } else { true }
  }
}

extension Scope.Claim {
  init(_ transaction: Verified<JWSTransactionDecodedPayload>) {
    self.init(
      realm: transaction.realm, bundleId: transaction.payload.bundleId,
      environment: transaction.payload.environment)
  }

  init(_ renewal: Verified<JWSRenewalInfoDecodedPayload>) {
    self.init(
      realm: renewal.realm, bundleId: nil, environment: renewal.payload.environment)
  }

  init(_ notification: Verified<ResponseBodyV2DecodedPayload>) {
    let data = notification.payload.data
    self.init(
      realm: notification.realm, bundleId: data?.bundleId, environment: data?.environment)
  }
}
