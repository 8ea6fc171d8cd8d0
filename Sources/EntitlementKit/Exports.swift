// An app writes one import: lengths of time, classes of revocation and Apple's words come with it.
@_exported public import AppStoreModel
@_exported public import EntitlementLedger
