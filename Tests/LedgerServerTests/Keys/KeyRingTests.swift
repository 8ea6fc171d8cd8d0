import AppStoreModel
import Testing

@testable import LedgerServer

struct KeyRingTests {
  private func key(_ name: String, _ secret: KeySecret, revoked: Bool = false) -> APIKey {
    APIKey(
      name: name, scope: .read, bundleIds: ["a"], environment: .sandbox,
      madeAt: Timestamp(millisecondsSince1970: 0),
      revokedAt: revoked ? Timestamp(millisecondsSince1970: 1) : nil, secretDigest: secret.digest)
  }

  @Test func `a key is found by its secret alone`() throws {
    let first = try #require(KeySecret.fresh(for: .read))
    let second = try #require(KeySecret.fresh(for: .read))
    let ring = KeyRing([key("first", first), key("second", second)])
    #expect(ring.key(for: first)?.name == "first")
    #expect(ring.key(for: second)?.name == "second")
    #expect(ring.key(for: KeySecret(presented: first.text + "0")) == nil)
    #expect(ring.key(for: KeySecret(presented: "")) == nil)
  }

  @Test func `a revoked key opens nothing, from the moment the ring is replaced`() throws {
    let secret = try #require(KeySecret.fresh(for: .admin))
    let ring = KeyRing([key("only", secret)])
    ring.replace(with: [key("only", secret, revoked: true)])
    #expect(ring.key(for: secret) == nil)
    #expect(ring.isEmpty)
  }

  @Test func `a secret says its scope and is never the same twice`() throws {
    let first = try #require(KeySecret.fresh(for: .device))
    let second = try #require(KeySecret.fresh(for: .device))
    #expect(first.text.hasPrefix("cb_device_"))
    #expect(first.text.count == 74)
    #expect(first.text != second.text)
    #expect(first.digest.count == 32)
  }
}
