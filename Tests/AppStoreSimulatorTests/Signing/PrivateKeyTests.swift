import Testing

@testable import AppStoreSimulator

struct PrivateKeyTests {
  struct Vector: CustomTestStringConvertible, Sendable {
    let curve: Curve
    let digest: Digest
    let message: String
    let signature: String
    var testDescription: String { "\(curve), \(digest), \(message)" }
  }

  /// RFC 6979, sections A.2.5 and A.2.6.
  static let keys: [Curve: String] = [
    .p256: "C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721",
    .p384: "6B9D3DAD2E1B8C1C05B19875B6659F4DE23C3B667BF297BA9AA47740787137D8"
      + "96D5724E4C70A825F872C9EA60D2EDF5",
  ]
  static let vectors = [
    Vector(
      curve: .p256, digest: .sha256, message: "sample",
      signature: "EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716"
        + "F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8"),
    Vector(
      curve: .p256, digest: .sha256, message: "test",
      signature: "F1ABB023518351CD71D881567B1EA663ED3EFCF6C5132B354F28D3B0B7D38367"
        + "019F4113742A2B14BD25926B49C649155F267E60D3814B4C0CC84250E46F0083"),
    Vector(
      curve: .p384, digest: .sha256, message: "sample",
      signature: "21B13D1E013C7FA1392D03C5F99AF8B30C570C6F98D4EA8E354B63A21D3DAA33"
        + "BDE1E888E63355D92FA2B3C36D8FB2CD"
        + "F3AA443FB107745BF4BD77CB3891674632068A10CA67E3D45DB2266FA7D1FEEB"
        + "EFDC63ECCD1AC42EC0CB8668A4FA0AB0"),
    Vector(
      curve: .p384, digest: .sha384, message: "sample",
      signature: "94EDBB92A5ECB8AAD4736E56C691916B3F88140666CE9FA73D64C4EA95AD133C"
        + "81A648152E44ACF96E36DD1E80FABE46"
        + "99EF4AEB15F178CEA1FE40DB2603138F130E740A19624526203B6351D0A3A94F"
        + "A329C145786E679E7B82C71A38628AC8"),
  ]

  @Test(arguments: vectors)
  func `the published signatures come out`(vector: Vector) throws {
    let scalar = try #require(Self.keys[vector.curve].flatMap(Self.bytes))
    let key = PrivateKey(vector.curve, scalar: scalar)
    let signature = key.sign(Array(vector.message.utf8), vector.digest)
    #expect(Hexadecimal.text(signature) == vector.signature.lowercased())
  }

  @Test func `a seed and a purpose always give the same key`() {
    let first = PrivateKey(.p256, seed: 7, purpose: "leaf")
    #expect(PrivateKey(.p256, seed: 7, purpose: "leaf").publicPoint == first.publicPoint)
    #expect(PrivateKey(.p256, seed: 8, purpose: "leaf").publicPoint != first.publicPoint)
    #expect(PrivateKey(.p256, seed: 7, purpose: "root").publicPoint != first.publicPoint)
  }

  static func bytes(_ hexadecimal: String) -> [UInt8]? {
    let digits = Array(hexadecimal)
    return stride(from: 0, to: digits.count, by: 2).map {
      UInt8(String(digits[$0...($0 + 1)]), radix: 16) ?? 0
    }
  }
}
