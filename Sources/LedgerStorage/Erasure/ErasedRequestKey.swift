import AppStoreModel
import EntitlementLedger

/// What is kept of a key under which something of an erased customer's was asked.
///
/// Who knows the key can tell that it was used, and for which request; nobody else can tell either,
/// where the key is chance. The request's own hash alone could be guessed, since its body is short.
struct ErasedRequestKey {
  /// Shape: a character that no key of a request holds, and 64 hexadecimal digits.
  let name: String
  let requestSHA256: [UInt8]

  init(_ key: RequestKey) {
    name = Self.sign + Fingerprint(hashing: Array(key.key.utf8)).hexadecimal
    requestSHA256 =
      Fingerprint(hashing: Array(key.key.utf8) + [0] + key.requestSHA256).bytes
  }

  static func isErased(_ name: String) -> Bool { name.hasPrefix(sign) }

  private static let sign = "\u{1}"
}
