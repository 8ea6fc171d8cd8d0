/// Why a call is refused, as Apple numbers it.
///
/// Source: Apple's App Store Server API, "Error codes".
package struct APIError: Error, Hashable, Sendable {
  package let code: Int64
  package let message: String

  /// The first three digits of the code.
  package var status: Int { Int(code / 10_000) }

  init(_ code: Int64, _ message: String) {
    self.code = code
    self.message = message
  }
}

extension APIError {
  /// Also where Apple gives a name and has published no number.
  static func badRequest(_ message: String = "Bad request.") -> APIError {
    APIError(4_000_000, message)
  }

  static let invalidRevision = APIError(4_000_005, "Invalid revision.")
  static let invalidTransactionId = APIError(4_000_006, "Invalid transaction id.")
  static let invalidOriginalTransactionId = APIError(
    4_000_008, "Invalid original transaction id.")
  static let invalidExtendByDays = APIError(4_000_009, "Invalid extendByDays value.")
  static let invalidExtendReasonCode = APIError(4_000_010, "Invalid extendReasonCode value.")
  static let invalidRequestIdentifier = APIError(4_000_011, "Invalid requestIdentifier value.")
  static let startDateTooFarInPast = APIError(
    4_000_012, "The startDate is older than notifications are kept.")
  static let startDateAfterEndDate = APIError(4_000_013, "The endDate must be after startDate.")
  static let invalidPaginationToken = APIError(4_000_014, "Invalid pagination token.")
  static let invalidStartDate = APIError(4_000_015, "Invalid startDate value.")
  static let invalidEndDate = APIError(4_000_016, "Invalid endDate value.")
  static let paginationTokenExpired = APIError(4_000_017, "The pagination token has expired.")
  static let invalidNotificationType = APIError(
    4_000_018, "Invalid notificationType or notificationSubtype value.")
  static let multipleFilters = APIError(4_000_019, "Supply one filter only.")
  static let invalidTestToken = APIError(4_000_020, "Invalid test notification token.")
  static let invalidSort = APIError(4_000_021, "Invalid sort value.")
  static let invalidProductType = APIError(4_000_022, "Invalid productType value.")
  static let invalidProductId = APIError(4_000_023, "Invalid productId value.")
  static let invalidGroup = APIError(4_000_024, "Invalid subscriptionGroupIdentifier value.")
  static let invalidOwnership = APIError(4_000_026, "Invalid inAppOwnershipType value.")
  static let emptyStorefronts = APIError(4_000_027, "The list of storefronts is empty.")
  static let invalidStorefront = APIError(4_000_028, "Invalid storefront country code.")
  static let invalidRevoked = APIError(4_000_030, "Invalid revoked value.")
  static let invalidStatus = APIError(4_000_031, "Invalid status value.")
  static let typeNotSupported = APIError(
    4_000_047, "This endpoint does not take transactions of this type.")
  static let appTransactionIdNotSupported = APIError(
    4_000_048, "This endpoint does not take an appTransactionId.")
  static let invalidAppAccountToken = APIError(4_000_183, "The appAccountToken is not a UUID.")
  static let familyNotSupported = APIError(
    4_000_185, "This endpoint does not take family shared transactions.")
  static let notOriginal = APIError(
    4_000_187, "The transaction id is not an original transaction id.")
  static let percentageOfSubscription = APIError(
    4_000_209, "The consumptionPercentage does not apply to auto-renewable subscriptions.")
  static let assignedNotSupported = APIError(
    4_000_227, "This endpoint does not take assigned transactions.")
  static let extensionIneligible = APIError(
    4_030_004, "The subscription is not eligible for an extension.")
  static let extensionTooOften = APIError(
    4_030_005, "The subscription has been extended as often as it may be.")
  static let familyExtension = APIError(
    4_030_007, "A family shared subscription cannot be extended.")
  static let assignedExtension = APIError(
    4_030_028, "An assigned subscription cannot be extended.")
  static let originalTransactionIdNotFound = APIError(
    4_040_005, "Original transaction id not found.")
  static let notificationURLNotFound = APIError(
    4_040_007, "No notification URL is set for the app.")
  static let testNotificationNotFound = APIError(
    4_040_008, "The test notification was not found or has not been sent yet.")
  static let statusRequestNotFound = APIError(
    4_040_009, "No extension with this request identifier was found.")
  static let transactionIdNotFound = APIError(4_040_010, "Transaction id not found.")
  static let appTransactionNotFound = APIError(
    4_040_019, "No app transaction exists for the customer.")
  static let rateLimitExceeded = APIError(4_290_000, "Rate limit exceeded.")

  /// Those that have a name here, by code.
  static let all: [Int64: APIError] = Dictionary(
    uniqueKeysWithValues: [
      invalidRevision, invalidTransactionId, invalidOriginalTransactionId, invalidExtendByDays,
      invalidExtendReasonCode, invalidRequestIdentifier, startDateTooFarInPast,
      startDateAfterEndDate, invalidPaginationToken, invalidStartDate, invalidEndDate,
      paginationTokenExpired, invalidNotificationType, multipleFilters, invalidTestToken,
      invalidSort, invalidProductType, invalidProductId, invalidGroup, invalidOwnership,
      emptyStorefronts, invalidStorefront, invalidRevoked, invalidStatus, typeNotSupported,
      appTransactionIdNotSupported, invalidAppAccountToken, familyNotSupported, notOriginal,
      percentageOfSubscription, assignedNotSupported, extensionIneligible, extensionTooOften,
      familyExtension, assignedExtension, originalTransactionIdNotFound, notificationURLNotFound,
      testNotificationNotFound, statusRequestNotFound, transactionIdNotFound,
      appTransactionNotFound, rateLimitExceeded,
      retryableAccount, retryableApp, retryableOriginal, internalError, retryableInternal,
    ].map { ($0.code, $0) })

  static let retryableAccount = APIError(4_040_002, "Account not found. Please try again.")
  static let retryableApp = APIError(4_040_004, "App not found. Please try again.")
  static let retryableOriginal = APIError(
    4_040_006, "Original transaction id not found. Please try again.")
  static let internalError = APIError(5_000_000, "An unknown error occurred.")
  static let retryableInternal = APIError(
    5_000_001, "An unknown error occurred. Please try again.")
}
