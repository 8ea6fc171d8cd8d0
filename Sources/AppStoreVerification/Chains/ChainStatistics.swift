/// How often a chain was looked up, and how often it had to be checked in full.
///
/// A full check costs about a millisecond, a known chain next to nothing: many refused checks mean
/// that somebody posts forged headers.
public struct ChainStatistics: Hashable, Sendable {
  /// Found in the cache.
  public internal(set) var known = 0
  /// Checked in full and found good.
  public internal(set) var accepted = 0
  /// Checked in full and refused.
  public internal(set) var refused = 0

  public init() {}
}
