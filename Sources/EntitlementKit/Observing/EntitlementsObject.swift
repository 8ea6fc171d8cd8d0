#if canImport(Combine)
  public import Combine

  /// The answers as an `ObservableObject`, for systems before Observation.
  @MainActor
  public final class EntitlementsObject: ObservableObject {
    @Published private var snapshot: AnswerSnapshot
    private let entitlements: Entitlements
    private var follower: AnswerFollower?

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
    public subscript(id: String) -> Entitlement { entitlements[id] }

    /// Whether the customer may, as ``Entitlements/allows(_:)`` says.
    public func allows(_ id: String) -> Bool { entitlements.allows(id) }

    private func update() {
      let new = AnswerSnapshot(entitlements)
      if new != snapshot { snapshot = new }
    }
  }
#endif
