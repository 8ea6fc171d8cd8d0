/// A currency by its ISO 4217 code, such as `USD`.
///
/// Shape: the code as Apple sends it, kept unchanged, also when it is none we know.
public struct Currency: Hashable, Comparable, Sendable {
  public let code: String

  public init(code: String) {
    self.code = code
  }

  public static func < (left: Currency, right: Currency) -> Bool {
    left.code < right.code
  }
}
