package import AppStoreModel

/// Something that reached us and could not be taken.
package struct QuarantinedItem: Hashable, Sendable {
  /// How many bytes of it are kept in any case.
  package static let greatestExcerpt = 1_024
  /// How many items are kept with their body, and as many without: the oldest give way.
  package static let ringSize = 10_000

  /// SHA-256 of all its bytes.
  package let sha256: [UInt8]
  package let channel: String
  /// Why, safe to log.
  package let reason: String
  /// Its first bytes.
  package let excerpt: [UInt8]
  /// All of it; only if its chain ends in a configured root.
  package let body: [UInt8]?
  package let receivedAt: Timestamp

  /// Takes something that could not be taken.
  ///
  /// - Parameters:
  ///   - bytes: As received.
  ///   - isChainTrusted: Whether its chain ends in a configured root: else the body is not kept.
  ///   - sha256: Of `bytes`.
  ///   - channel: How it reached us.
  ///   - reason: Why it could not be taken, safe to log.
  ///   - receivedAt: When.
  package init(
    _ bytes: [UInt8], isChainTrusted: Bool, sha256: [UInt8], channel: String, reason: String,
    receivedAt: Timestamp
  ) {
    self.init(
      sha256: sha256, channel: channel, reason: reason,
      excerpt: Array(bytes.prefix(Self.greatestExcerpt)), body: isChainTrusted ? bytes : nil,
      receivedAt: receivedAt)
  }

  init(
    sha256: [UInt8], channel: String, reason: String, excerpt: [UInt8], body: [UInt8]?,
    receivedAt: Timestamp
  ) {
    self.sha256 = sha256
    self.channel = channel
    self.reason = reason
    self.excerpt = excerpt
    self.body = body
    self.receivedAt = receivedAt
  }
}
