#if canImport(Observation)
  public import Observation

  /// The answers as an observable object for SwiftUI on iOS 17 and its contemporaries.
  @available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *)
  @MainActor
  @Observable
  public final class ObservableEntitlements {
    private var snapshot: AnswerSnapshot
    @ObservationIgnored private let entitlements: Entitlements
    @ObservationIgnored private var follower: AnswerFollower?

    /// Follows the answers for as long as it lives.
    public init(_ entitlements: Entitlements) {
      self.entitlements = entitlements
      snapshot = AnswerSnapshot(entitlements)
      follower = entitlements.follow { [weak self] in
        Task { @MainActor [weak self] in self?.update() }
      }
    }

    /// All rights, in the order of the rules.
    public var all: [Entitlement] { snapshot.all }

    /// How far the store can be relied on now: only `live` sells.
    public var storeState: StoreState { snapshot.storeState }

    /// The answer about one right, read anew, so that time counts too.
    public subscript(id: String) -> Entitlement {
      _ = snapshot
      return entitlements[id]
    }

    /// Whether the customer may, as ``Entitlements/allows(_:)`` says.
    public func allows(_ id: String) -> Bool { self[id].isAllowed }

    private func update() {
      let new = AnswerSnapshot(entitlements)
      if new != snapshot { snapshot = new }
    }
  }
#endif
