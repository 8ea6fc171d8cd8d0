/// What the App Store says is wrong, by number.
///
/// Source: Apple's `errorCode`.
public enum AppleErrorCode: Hashable, Sendable {
  case generalBadRequest
  case invalidAppIdentifier
  case invalidLimit
  case invalidRequestRevision
  case invalidTransactionId
  case invalidOriginalTransactionId
  case invalidExtendByDays
  case invalidExtendReasonCode
  case invalidRequestIdentifier
  case startDateTooFarInPast
  case startDateAfterEndDate
  case invalidPaginationToken
  case invalidStartDate
  case invalidEndDate
  case paginationTokenExpired
  case invalidNotificationType
  case multipleFiltersSupplied
  case invalidTestNotificationToken
  case invalidSort
  case invalidProductType
  case invalidProductId
  case invalidSubscriptionGroupIdentifier
  case invalidExcludeRevoked
  case invalidInAppOwnershipType
  case invalidEmptyStorefrontCountryCodeList
  case invalidStorefrontCountryCode
  case invalidRevoked
  case invalidStatus
  case invalidAccountTenure
  case invalidAppAccountToken
  case invalidConsumptionStatus
  case invalidCustomerConsented
  case invalidDeliveryStatus
  case invalidLifetimeDollarsPurchased
  case invalidLifetimeDollarsRefunded
  case invalidPlatform
  case invalidPlayTime
  case invalidSampleContentProvided
  case invalidUserStatus
  case invalidTransactionNotConsumable
  case invalidTransactionTypeNotSupported
  case appTransactionIdNotSupported
  case invalidAppAccountTokenUUID
  case familyTransactionNotSupported
  case transactionIdIsNotOriginalTransactionId
  case consumptionPercentageAutoRenewableSubscription
  case invalidGroupId
  case invalidAssignedTransactionNotSupported
  case subscriptionExtensionIneligible
  case subscriptionMaxExtension
  case familySharedSubscriptionExtensionIneligible
  case assignedSubscriptionExtensionIneligible
  case accountNotFound
  case accountNotFoundRetryable
  case appNotFound
  case appNotFoundRetryable
  case originalTransactionIdNotFound
  case originalTransactionIdNotFoundRetryable
  case serverNotificationUrlNotFound
  case testNotificationNotFound
  case statusRequestNotFound
  case transactionIdNotFound
  case appTransactionDoesNotExist
  case groupNotFound
  case rateLimitExceeded
  case generalInternal
  case generalInternalRetryable
  /// A number that Apple added after this was written, or publishes nowhere.
  case unknown(Int64)
}

extension AppleErrorCode: RawRepresentable {
  public init(rawValue: Int64) {
    switch rawValue {
    case 4_000_000: self = .generalBadRequest
    case 4_000_002: self = .invalidAppIdentifier
    case 4_000_004: self = .invalidLimit
    case 4_000_005: self = .invalidRequestRevision
    case 4_000_006: self = .invalidTransactionId
    case 4_000_008: self = .invalidOriginalTransactionId
    case 4_000_009: self = .invalidExtendByDays
    case 4_000_010: self = .invalidExtendReasonCode
    case 4_000_011: self = .invalidRequestIdentifier
    case 4_000_012: self = .startDateTooFarInPast
    case 4_000_013: self = .startDateAfterEndDate
    case 4_000_014: self = .invalidPaginationToken
    case 4_000_015: self = .invalidStartDate
    case 4_000_016: self = .invalidEndDate
    case 4_000_017: self = .paginationTokenExpired
    case 4_000_018: self = .invalidNotificationType
    case 4_000_019: self = .multipleFiltersSupplied
    case 4_000_020: self = .invalidTestNotificationToken
    case 4_000_021: self = .invalidSort
    case 4_000_022: self = .invalidProductType
    case 4_000_023: self = .invalidProductId
    case 4_000_024: self = .invalidSubscriptionGroupIdentifier
    case 4_000_025: self = .invalidExcludeRevoked
    case 4_000_026: self = .invalidInAppOwnershipType
    case 4_000_027: self = .invalidEmptyStorefrontCountryCodeList
    case 4_000_028: self = .invalidStorefrontCountryCode
    case 4_000_030: self = .invalidRevoked
    case 4_000_031: self = .invalidStatus
    case 4_000_032: self = .invalidAccountTenure
    case 4_000_033: self = .invalidAppAccountToken
    case 4_000_034: self = .invalidConsumptionStatus
    case 4_000_035: self = .invalidCustomerConsented
    case 4_000_036: self = .invalidDeliveryStatus
    case 4_000_037: self = .invalidLifetimeDollarsPurchased
    case 4_000_038: self = .invalidLifetimeDollarsRefunded
    case 4_000_039: self = .invalidPlatform
    case 4_000_040: self = .invalidPlayTime
    case 4_000_041: self = .invalidSampleContentProvided
    case 4_000_042: self = .invalidUserStatus
    case 4_000_043: self = .invalidTransactionNotConsumable
    case 4_000_047: self = .invalidTransactionTypeNotSupported
    case 4_000_048: self = .appTransactionIdNotSupported
    case 4_000_183: self = .invalidAppAccountTokenUUID
    case 4_000_185: self = .familyTransactionNotSupported
    case 4_000_187: self = .transactionIdIsNotOriginalTransactionId
    case 4_000_209: self = .consumptionPercentageAutoRenewableSubscription
    case 4_000_225: self = .invalidGroupId
    case 4_000_227: self = .invalidAssignedTransactionNotSupported
    case 4_030_004: self = .subscriptionExtensionIneligible
    case 4_030_005: self = .subscriptionMaxExtension
    case 4_030_007: self = .familySharedSubscriptionExtensionIneligible
    case 4_030_028: self = .assignedSubscriptionExtensionIneligible
    case 4_040_001: self = .accountNotFound
    case 4_040_002: self = .accountNotFoundRetryable
    case 4_040_003: self = .appNotFound
    case 4_040_004: self = .appNotFoundRetryable
    case 4_040_005: self = .originalTransactionIdNotFound
    case 4_040_006: self = .originalTransactionIdNotFoundRetryable
    case 4_040_007: self = .serverNotificationUrlNotFound
    case 4_040_008: self = .testNotificationNotFound
    case 4_040_009: self = .statusRequestNotFound
    case 4_040_010: self = .transactionIdNotFound
    case 4_040_019: self = .appTransactionDoesNotExist
    case 4_040_022: self = .groupNotFound
    case 4_290_000: self = .rateLimitExceeded
    case 5_000_000: self = .generalInternal
    case 5_000_001: self = .generalInternalRetryable
    default: self = .unknown(rawValue)
    }
  }

  public var rawValue: Int64 {
    switch self {
    case .generalBadRequest: 4_000_000
    case .invalidAppIdentifier: 4_000_002
    case .invalidLimit: 4_000_004
    case .invalidRequestRevision: 4_000_005
    case .invalidTransactionId: 4_000_006
    case .invalidOriginalTransactionId: 4_000_008
    case .invalidExtendByDays: 4_000_009
    case .invalidExtendReasonCode: 4_000_010
    case .invalidRequestIdentifier: 4_000_011
    case .startDateTooFarInPast: 4_000_012
    case .startDateAfterEndDate: 4_000_013
    case .invalidPaginationToken: 4_000_014
    case .invalidStartDate: 4_000_015
    case .invalidEndDate: 4_000_016
    case .paginationTokenExpired: 4_000_017
    case .invalidNotificationType: 4_000_018
    case .multipleFiltersSupplied: 4_000_019
    case .invalidTestNotificationToken: 4_000_020
    case .invalidSort: 4_000_021
    case .invalidProductType: 4_000_022
    case .invalidProductId: 4_000_023
    case .invalidSubscriptionGroupIdentifier: 4_000_024
    case .invalidExcludeRevoked: 4_000_025
    case .invalidInAppOwnershipType: 4_000_026
    case .invalidEmptyStorefrontCountryCodeList: 4_000_027
    case .invalidStorefrontCountryCode: 4_000_028
    case .invalidRevoked: 4_000_030
    case .invalidStatus: 4_000_031
    case .invalidAccountTenure: 4_000_032
    case .invalidAppAccountToken: 4_000_033
    case .invalidConsumptionStatus: 4_000_034
    case .invalidCustomerConsented: 4_000_035
    case .invalidDeliveryStatus: 4_000_036
    case .invalidLifetimeDollarsPurchased: 4_000_037
    case .invalidLifetimeDollarsRefunded: 4_000_038
    case .invalidPlatform: 4_000_039
    case .invalidPlayTime: 4_000_040
    case .invalidSampleContentProvided: 4_000_041
    case .invalidUserStatus: 4_000_042
    case .invalidTransactionNotConsumable: 4_000_043
    case .invalidTransactionTypeNotSupported: 4_000_047
    case .appTransactionIdNotSupported: 4_000_048
    case .invalidAppAccountTokenUUID: 4_000_183
    case .familyTransactionNotSupported: 4_000_185
    case .transactionIdIsNotOriginalTransactionId: 4_000_187
    case .consumptionPercentageAutoRenewableSubscription: 4_000_209
    case .invalidGroupId: 4_000_225
    case .invalidAssignedTransactionNotSupported: 4_000_227
    case .subscriptionExtensionIneligible: 4_030_004
    case .subscriptionMaxExtension: 4_030_005
    case .familySharedSubscriptionExtensionIneligible: 4_030_007
    case .assignedSubscriptionExtensionIneligible: 4_030_028
    case .accountNotFound: 4_040_001
    case .accountNotFoundRetryable: 4_040_002
    case .appNotFound: 4_040_003
    case .appNotFoundRetryable: 4_040_004
    case .originalTransactionIdNotFound: 4_040_005
    case .originalTransactionIdNotFoundRetryable: 4_040_006
    case .serverNotificationUrlNotFound: 4_040_007
    case .testNotificationNotFound: 4_040_008
    case .statusRequestNotFound: 4_040_009
    case .transactionIdNotFound: 4_040_010
    case .appTransactionDoesNotExist: 4_040_019
    case .groupNotFound: 4_040_022
    case .rateLimitExceeded: 4_290_000
    case .generalInternal: 5_000_000
    case .generalInternalRetryable: 5_000_001
    case .unknown(let number): number
    }
  }
}
