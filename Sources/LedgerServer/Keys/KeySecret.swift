import CCrypto
import EntitlementLedger
import LedgerStorage

/// The secret of an API key, known only when it is made and when it is presented.
///
/// Shape: `cb_`, the scope, `_` and 64 hexadecimal digits of chance, so that a secret found in a log or
/// a repository can be told for what it is.
package struct KeySecret: Sendable {
  package let text: String

  /// Takes what a request presents.
  package init(presented text: String) {
    self.text = text
  }

  /// A new secret; `nil` when the system has no randomness to give.
  package static func fresh(for scope: KeyScope) -> KeySecret? {
    var chance = [UInt8](repeating: 0, count: 32)
    guard RAND_bytes(&chance, Int32(chance.count)) == 1 else { return nil }
    let digits = Array("0123456789abcdef".utf8)
    let hexadecimal = chance.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    return KeySecret(
      presented: "cb_\(scope.rawValue)_" + String(decoding: hexadecimal, as: UTF8.self))
  }

  package var digest: [UInt8] { Fingerprint(hashing: Array(text.utf8)).bytes }

  /// Compares in a time that does not depend on where the digests differ.
  static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
  }
}
