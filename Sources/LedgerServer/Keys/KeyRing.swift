import Synchronization

/// The keys that are good at the moment, held in memory and replaced when one is made or revoked.
final class KeyRing: Sendable {
  private let keys: Mutex<[APIKey]>
  private let observers = Mutex<[@Sendable () -> Void]>([])

  init(_ keys: [APIKey]) {
    self.keys = Mutex(keys.filter { $0.revokedAt == nil })
  }

  func replace(with keys: [APIKey]) {
    self.keys.withLock { $0 = keys.filter { $0.revokedAt == nil } }
    for observer in observers.withLock({ $0 }) { observer() }
  }

  /// Calls `observer` after each replacement: what began with a key may have to end.
  func observe(_ observer: @escaping @Sendable () -> Void) {
    observers.withLock { $0.append(observer) }
  }

  func isGood(_ key: APIKey) -> Bool { keys.withLock { $0.contains(key) } }

  var isEmpty: Bool { keys.withLock { $0.isEmpty } }

  /// The key with this secret; every key is compared, whichever fits.
  func key(for secret: KeySecret) -> APIKey? {
    let digest = secret.digest
    return keys.withLock { keys in
      var found: APIKey?
      for key in keys where KeySecret.areEqual(key.secretDigest, digest) { found = key }
      return found
    }
  }
}
