extension Int64 {
  /// The sum, or the end of the range that it lies beyond.
  ///
  /// Ten thousand greatest amounts of anything are beyond 64 bits; who adds them up must neither crash
  /// nor find the sum small.
  package func saturatingSum(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }
}
