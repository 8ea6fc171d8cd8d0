#if canImport(Observation)
  public import Observation

  /// The answers as an observable object for SwiftUI on iOS 17 and its contemporaries.
  @available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *)
  @MainActor
  @Observable
  public final class ObservableEntitlements {
    /// All rights, in the order of the rules.
    public private(set) var all: [Entitlement]
    public private(set) var storeState: StoreState
    @ObservationIgnored private let entitlements: Entitlements

    /// Follows the answers for as long as it lives.
    public init(_ entitlements: Entitlements) {
      self.entitlements = entitlements
      all = entitlements.all
      storeState = entitlements.storeState
      entitlements.observe { [weak self] in
        Task { @MainActor [weak self] in self?.update() }
      }
    }

    /// The answer about one right, read anew, so that time counts too.
    public subscript(id: String) -> Entitlement {
      _ = all
      return entitlements[id]
    }

    public func allows(_ id: String) -> Bool { self[id].isAllowed }

    private func update() {
      let new = entitlements.all
      if new != all { all = new }
      let state = entitlements.storeState
      if state != storeState { storeState = state }
    }
  }
#endif
