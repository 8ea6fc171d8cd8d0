extension AnswerObject {
  func extendedRenewal() throws(AppStoreServerError) -> ExtendedRenewal {
    ExtendedRenewal(
      success: try required("success", flag("success")),
      originalTransactionId: try text("originalTransactionId"),
      webOrderLineItemId: try text("webOrderLineItemId"),
      effectiveDate: try moment("effectiveDate"))
  }

  func massExtensionStatus() throws(AppStoreServerError) -> MassExtensionStatus {
    MassExtensionStatus(
      isComplete: try required("complete", flag("complete")),
      requestIdentifier: try text("requestIdentifier"),
      completeDate: try moment("completeDate"), succeededCount: try number("succeededCount"),
      failedCount: try number("failedCount"))
  }
}
