// What the kit's own declarations speak of comes with its one import, and nothing else of these modules:
// an app may have, or import, an Alert, a Policy or a Currency of its own.
@_exported public import enum AppStoreModel.InAppOwnershipType
@_exported public import enum AppStoreModel.ProductType
@_exported public import enum AppStoreModel.RevocationReason
@_exported public import enum AppStoreModel.RevocationType
@_exported public import struct AppStoreModel.RevokedShare
@_exported public import struct AppStoreModel.TimeSpan
@_exported public import enum EntitlementLedger.RevocationClass
