import AppStoreModel

extension SignedDataVerifier {
  /// Where a JWS stands, and so what its origin is compared with.
  enum Context {
    /// Alone or outermost: compared with the configuration.
    case alone
    /// In a notification: compared with the container it stands in.
    case inside(ClaimedOrigin, realm: Realm)
  }

  /// Holds one JWS against every rule, in their order of precedence.
  func prove<Payload: SignedPayload>(
    _ jws: UnsafeBufferPointer<UInt8>, as type: Payload.Type, _ context: Context, now: Timestamp
  ) throws(VerificationError) -> SignedDocument<Payload> {
    let form = try CompactForm(jws, part: Payload.kind)
    guard let payload = Base64URL.decode(form.payload),
      let signature = Base64URL.decode(form.signature)
    else { throw VerificationError(.formBase64URL, in: Payload.kind) }
    let chain = try chain(for: form.header, context, part: Payload.kind)
    let isSigned = chain.signed(form.payload, with: signature)
    let reading = Reading<Payload>(payload)
    let judgedAt = try judge(chain, reading, isSigned: isSigned, signature, now: now)
    try checkOrigin(of: reading, context)
    return SignedDocument(
      content: reading.proved(realm: chain.signer.realm, judgedAt: judgedAt),
      text: SignedText(header: chain.header, payload: payload, signature: signature),
      signer: chain.signer)
  }

  private func chain(
    for segment: UnsafeBufferPointer<UInt8>, _ context: Context, part: SignedDataKind
  ) throws(VerificationError) -> SigningChain {
    var realm: Realm?
    if case .inside(_, let outer) = context { realm = outer }
    if let known = cache.chain(for: segment) {
      guard realm == nil || realm == known.signer.realm else {
        throw VerificationError(.chainRealm, in: part)
      }
      return known
    }
    do throws(VerificationRule) {
      let chain = try check(segment, realm: realm)
      cache.insert(chain)
      return chain
    } catch {
      throw VerificationError(error, in: part)
    }
  }

  private func check(
    _ segment: UnsafeBufferPointer<UInt8>, realm: Realm?
  ) throws(VerificationRule) -> SigningChain {
    guard let json = Base64URL.decode(segment) else { throw .formBase64URL }
    guard let header = json.withUnsafeBufferPointer({ try? JOSEHeader(json: $0) }) else {
      throw .formHeader
    }
    guard header.algorithm == "ES256" else { throw .algorithm }
    do throws(VerificationRule) {
      return try validator.chain(in: header, segment: segment, realm: realm)
    } catch {
      cache.noteRefusal()
      throw error
    }
  }

  /// The date that the chain was found valid at; throws for the date before the signature.
  ///
  /// A date from inside is used only once the signature has vouched for what is inside.
  private func judge<Payload: SignedPayload>(
    _ chain: SigningChain, _ reading: Reading<Payload>, isSigned: Bool, _ signature: [UInt8],
    now: Timestamp
  ) throws(VerificationError) -> Timestamp {
    let own = reading.signingDate
    if own == nil { try checkSignature(isSigned, signature, part: Payload.kind) }
    let moment = own ?? reading.innerSigningDate ?? now
    if let rule = chain.dateRuleBroken(at: moment) {
      throw VerificationError(rule, in: Payload.kind, isOriginProved: isSigned)
    }
    try checkSignature(isSigned, signature, part: Payload.kind)
    return moment
  }

  private func checkSignature(
    _ isSigned: Bool, _ signature: [UInt8], part: SignedDataKind
  ) throws(VerificationError) {
    if isSigned { return }
    let isWhole = signature.count == LeafKey.signatureSize
    throw VerificationError(isWhole ? .signature : .signatureLength, in: part)
  }

  private func checkOrigin<Payload: SignedPayload>(
    of reading: Reading<Payload>, _ context: Context
  ) throws(VerificationError) {
    for claim in reading.claimedOrigins {
      let broken: VerificationRule?
      switch context {
      case .alone: broken = allowed.firstBroken(by: claim)
      case .inside(let outer, _): broken = outer.firstDisagreement(with: claim)
      }
      if let broken { throw VerificationError(broken, in: Payload.kind) }
    }
  }
}
