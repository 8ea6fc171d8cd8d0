import CCrypto

/// What an endpoint is called.
///
/// Shape: `wh_` and 24 hexadecimal digits of chance.
enum EndpointName {
  /// - Returns: `nil` when the system has no chance to give.
  static func fresh() -> String? {
    var chance = [UInt8](repeating: 0, count: 12)
    guard RAND_bytes(&chance, Int32(chance.count)) == 1 else { return nil }
    return "wh_" + chance.hexadecimal
  }
}
