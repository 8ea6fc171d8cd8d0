import AppStoreModel
import AppStoreVerification

/// Which of the two lists of a report a signed text belongs into, by what it holds.
enum SignedKind {
  case transaction
  case renewalInfo
  /// Neither can be told: what Apple may add is taken as what it was sent for.
  case unknown

  init(of text: SignedText) {
    self.init(payload: text.payload)
  }

  /// What a compact JWS says that it is: for naming a mistake, never for trusting it.
  init(ofUnverified jws: [UInt8]) {
    let segments = jws.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let payload = segments.count == 3 ? segments[1].withUnsafeBufferPointer(Base64URL.decode) : nil
    self.init(payload: payload ?? [])
  }

  private init(payload: [UInt8]) {
    let json = try? JSONValue(json: payload)
    let isRenewal = ["autoRenewStatus", "autoRenewProductId", "renewalDate"].contains {
      json?[$0] != nil
    }
    if json?["transactionId"] != nil {
      self = .transaction
    } else {
      self = isRenewal ? .renewalInfo : .unknown
    }
  }
}
