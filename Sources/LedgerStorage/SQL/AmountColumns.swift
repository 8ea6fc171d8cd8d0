/// Amounts that are added up by the store.
enum AmountColumns {
  /// The sums of whole millions and of what is left, for ``SQLSession/sum(_:_:)``.
  static func millions(of column: String) -> String {
    "sum(\(column) / 1000000), sum(\(column) % 1000000)"
  }
}
