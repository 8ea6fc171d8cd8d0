/// What signed data must satisfy, in order of precedence: the first rule that fails is reported.
///
/// The raw value is the rule's public id; `docs/contracts/verification-rules.md` holds the list.
public enum VerificationRule: String, Error, CaseIterable, Hashable, Sendable {
  case formSize = "form.size"
  case formSegments = "form.segments"
  case formBase64URL = "form.base64url"
  case formHeader = "form.header"
  case algorithm = "algorithm"
  case chainLength = "chain.length"
  case chainCertificates = "chain.certificates"
  case chainLeafKey = "chain.leaf-key"
  case chainIntermediate = "chain.intermediate"
  case chainLeaf = "chain.leaf"
  case chainPath = "chain.path"
  case chainSimulated = "chain.simulated"
  case chainDenied = "chain.denied"
  case chainRealm = "chain.realm"
  case markersLeaf = "markers.leaf"
  case markersIntermediate = "markers.intermediate"
  case datesNotYetValid = "dates.not-yet-valid"
  case datesExpired = "dates.expired"
  case signatureLength = "signature.length"
  case signature = "signature"
  case appID = "app-id"
  case bundleID = "bundle-id"
  case environment = "environment"
  case binding = "binding"
}

extension VerificationRule {
  /// What a failure means, in a sentence that names nothing from the data.
  public var explanation: String {
    switch self {
    case .formSize: "it is larger than any data the App Store signs"
    case .formSegments: "it is not three segments with a dot between them"
    case .formBase64URL: "a segment is not base64url without padding"
    case .formHeader: "its header is not a JSON object that can be read in one way only"
    case .algorithm: "its header names another algorithm than ES256"
    case .chainLength: "its header does not hold exactly three certificates"
    case .chainCertificates: "a certificate in its header cannot be read"
    case .chainLeafKey: "the signing certificate's key is not on the curve P-256"
    case .chainIntermediate: "the intermediate certificate is not one of an authority"
    case .chainLeaf: "the signing certificate may issue certificates, or may not sign"
    case .chainPath: "its certificates do not lead to a trusted root"
    case .chainSimulated: "a simulated App Store signed it, and the root is Apple's"
    case .chainDenied: "its signing certificate is on the deny-list"
    case .chainRealm: "it stands in a notification that another root vouches for"
    case .markersLeaf: "the signing certificate is not one for purchases"
    case .markersIntermediate: "the intermediate certificate is not one for the App Store"
    case .datesNotYetValid: "a certificate was not valid yet when it was signed"
    case .datesExpired: "a certificate had expired when it was signed"
    case .signatureLength: "its signature does not have 64 bytes"
    case .signature: "its signature does not fit its text and its signing certificate"
    case .appID: "it is for another app: the App Store id differs"
    case .bundleID: "it is for another app: the bundle id differs"
    case .environment: "it is from an App Store environment that is not accepted here"
    case .binding: "the renewal belongs to another purchase than the transaction beside it"
    }
  }

  /// What the operator should do next.
  public var advice: String {
    switch self {
    case .formSize, .formSegments, .formBase64URL, .formHeader:
      """
      Check that the body arrives unchanged: a proxy or a client may have cut, wrapped or \
      re-encoded it. Otherwise somebody is probing the address.
      """
    case .algorithm, .chainLength:
      """
      Apple signs with ES256 and three certificates. Data of Xcode or of local testing never \
      verifies on a server; anything else is a forgery.
      """
    case .chainCertificates, .chainLeafKey, .chainIntermediate, .chainLeaf, .markersLeaf,
      .markersIntermediate:
      "No App Store data looks like this. Treat the sender as hostile; nothing is to be changed."
    case .chainPath:
      """
      If a simulated App Store sent it, add that simulator's root to the configuration of a test \
      server. Never add a root to a server for real purchases.
      """
    case .chainSimulated:
      "Find out who signed with a simulator's certificate under Apple's root; accept nothing of it."
    case .chainDenied:
      "Somebody uses a certificate that you denied. Remove its serial number only if Apple says so."
    case .chainRealm:
      "Keep simulated and real data apart: the sender has mixed them in one notification."
    case .datesNotYetValid, .datesExpired:
      """
      Compare the payload's date with the certificates' dates. If fresh notifications fail, Apple \
      may have let a certificate run out: keep them and replay them after Apple's next rotation.
      """
    case .signatureLength, .signature:
      "Somebody changed the text or made the signature up. Check proxies that rewrite bodies first."
    case .appID:
      "Compare the app's App Store id in the configuration with the one in App Store Connect."
    case .bundleID:
      "Add the app to the configuration, or correct the notification address in App Store Connect."
    case .environment:
      """
      Allow the environment in the configuration if you want its data, or correct the address in \
      App Store Connect. Xcode and local testing cannot be allowed.
      """
    case .binding:
      "Apple never sends this. Keep the body and ask Apple for the subscription's status."
    }
  }

  /// Whether it is judged only once the signature has been found good.
  ///
  /// Then the body did come from a trusted root, and is worth keeping.
  public var isJudgedAfterSignature: Bool {
    switch self {
    case .appID, .bundleID, .environment, .binding: true
    default: false
    }
  }
}
