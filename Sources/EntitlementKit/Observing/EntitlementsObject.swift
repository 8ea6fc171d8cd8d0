#if canImport(Combine)
  public import Combine
  import Foundation

  /// The answers as an `ObservableObject`, for systems before Observation.
  @MainActor
  public final class EntitlementsObject: ObservableObject {
    /// All rights, in the order of the rules.
    @Published public private(set) var all: [Entitlement]
    @Published public private(set) var storeState: StoreState
    private let entitlements: Entitlements

    /// Follows the answers for as long as it lives.
    public init(_ entitlements: Entitlements) {
      self.entitlements = entitlements
      all = entitlements.all
      storeState = entitlements.storeState
      entitlements.observe { [weak self] in
        Task { @MainActor [weak self] in self?.update() }
      }
    }

    /// The answer about one right.
    public subscript(id: String) -> Entitlement { entitlements[id] }

    public func allows(_ id: String) -> Bool { entitlements.allows(id) }

    private func update() {
      let new = entitlements.all
      if new != all { all = new }
      let state = entitlements.storeState
      if state != storeState { storeState = state }
    }
  }
#endif
