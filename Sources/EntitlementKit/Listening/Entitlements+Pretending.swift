#if DEBUG
  extension Entitlements {
    /// Shows a right as given, or as refused, in builds for debugging: a release build does not have it.
    ///
    /// Nothing is recorded, cached or reported, and `nil` ends it.
    public func pretend(_ id: String, isEntitled: Bool?) {
      pretendOnBoard(id, isEntitled)
    }
  }
#endif
