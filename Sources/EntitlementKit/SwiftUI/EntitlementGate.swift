#if canImport(SwiftUI) && canImport(Combine)
  public import SwiftUI

  /// Shows a view to those who may see it, and something else to those who may not.
  @MainActor
  struct EntitlementGate<Locked: View>: ViewModifier {
    @StateObject private var object: EntitlementsObject
    private let id: String
    private let locked: (Entitlement) -> Locked

    init(_ id: String, _ entitlements: Entitlements, locked: @escaping (Entitlement) -> Locked) {
      _object = StateObject(wrappedValue: EntitlementsObject(entitlements))
      self.id = id
      self.locked = locked
    }

    func body(content: Content) -> some View {
      let entitlement = object[id]
      Group {
        if entitlement.isAllowed { content } else { locked(entitlement) }
      }
    }
  }

  extension View {
    /// Shows this view while the right is allowed, and otherwise what is built from the answer.
    ///
    /// - Parameters:
    ///   - id: The right that the view needs.
    ///   - entitlements: The object that the app made at its start.
    ///   - locked: What stands in its place; it gets the answer, with the reason.
    /// - Returns: The view behind its gate.
    @MainActor
    public func entitlementGate<Locked: View>(
      _ id: String, _ entitlements: Entitlements,
      @ViewBuilder locked: @escaping (Entitlement) -> Locked
    ) -> some View {
      modifier(EntitlementGate(id, entitlements, locked: locked))
    }

    /// Lets views below read the object as `@Environment(\.entitlements)`.
    public func entitlements(_ entitlements: Entitlements) -> some View {
      environment(\.entitlements, entitlements)
    }
  }

  private struct EntitlementsKey: EnvironmentKey {
    static let defaultValue: Entitlements? = nil
  }

  extension EnvironmentValues {
    /// The object that the app made at its start; `nil` where no view above has set it.
    public var entitlements: Entitlements? {
      get { self[EntitlementsKey.self] }
      set { self[EntitlementsKey.self] = newValue }
    }
  }
#endif
