#if canImport(SwiftUI) && canImport(_StoreKit_SwiftUI) && !os(tvOS) && !os(watchOS)
  public import StoreKit
  public import SwiftUI
  import _StoreKit_SwiftUI

  @available(iOS 15, macOS 14, visionOS 1, *)
  extension View {
    /// Shows Apple's sheet for a refund of the transaction behind a right.
    ///
    /// A request that was sent is no refund: if one comes, the kit's changes tell it.
    ///
    /// - Parameters:
    ///   - entitlement: An answer that grants; with any other nothing is shown.
    ///   - isPresented: Whether the sheet is up.
    ///   - onDismiss: Gets what became of the request.
    /// - Returns: The view with the sheet.
    public func refundRequestSheet(
      for entitlement: Entitlement, isPresented: Binding<Bool>,
      onDismiss: (
        @MainActor (
          Result<StoreKit.Transaction.RefundRequestStatus, StoreKit.Transaction.RefundRequestError>
        ) -> Void
      )? = nil
    ) -> some View {
      let id = entitlement.refundableTransactionID
      return refundRequestSheet(
        for: id ?? 0, isPresented: id == nil ? .constant(false) : isPresented,
        onDismiss: onDismiss)
    }
  }
#endif
