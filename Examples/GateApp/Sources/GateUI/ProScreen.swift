import EntitlementKit
import GateCore

#if canImport(SwiftUI)
  import SwiftUI

  /// The screen behind the gate.
  public struct ProScreen: View {
    private let shop: Shop
    @State private var isAskingForRefund = false

    public init(_ shop: Shop) {
      self.shop = shop
    }

    public var body: some View {
      pro
        .entitlementGate("pro", shop.entitlements) { entitlement in
          VStack {
            Text(shop.line(entitlement.id))
            Button("Restore purchases") {
              Task { try? await shop.entitlements.restorePurchases() }
            }
          }
        }
    }

    private var pro: some View {
      VStack {
        Text("Pro")
        Button("Ask Apple for a refund") { isAskingForRefund = true }
      }
      #if canImport(_StoreKit_SwiftUI) && !os(tvOS) && !os(watchOS)
        .refundRequestSheet(for: shop.entitlements["pro"], isPresented: $isAskingForRefund)
      #endif
    }
  }
#endif
