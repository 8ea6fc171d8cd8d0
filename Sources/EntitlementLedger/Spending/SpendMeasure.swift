/// How much of something was or is to be used: GPU seconds, tokens, bytes, a payout.
public struct SpendMeasure: Hashable, Sendable {
  /// What is meant where nothing is stated.
  public static let oneRequest = SpendMeasure(kind: "other", unit: "request", units: 1)

  /// Shape: a word of the backend's, such as `gpu`.
  public let kind: String
  /// What is counted; a kind is always counted in the unit that it was first counted in.
  public let unit: String
  /// Range: from 0 on.
  public let units: Int64

  public init(kind: String, unit: String, units: Int64) {
    precondition(units >= 0, "Nothing is used backwards.")
    self.kind = kind
    self.unit = unit
    self.units = units
  }
}
