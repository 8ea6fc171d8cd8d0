#if canImport(SwiftUI) && canImport(_StoreKit_SwiftUI) && !os(tvOS) && !os(watchOS)
  import StoreKit
  public import SwiftUI
  import _StoreKit_SwiftUI

  @available(iOS 15, macOS 14, visionOS 1, *)
  extension View {
    /// Shows Apple's sheet for a refund of the transaction behind a right.
    ///
    /// A request that was sent is no refund: if one comes, the kit's changes tell it.
    ///
    /// - Parameters:
    ///   - entitlement: An answer that names its transaction; without one nothing is shown.
    ///   - isPresented: Whether the sheet is up.
    /// - Returns: The view with the sheet.
    public func refundRequestSheet(
      for entitlement: Entitlement, isPresented: Binding<Bool>
    ) -> some View {
      refundRequestSheet(
        for: entitlement.transactionID.flatMap { UInt64($0) } ?? 0, isPresented: isPresented)
    }
  }
#endif
