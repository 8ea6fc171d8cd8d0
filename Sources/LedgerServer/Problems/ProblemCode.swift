/// Why a request was refused: a closed list, described in `docs/contracts/error-codes.md`.
enum ProblemCode: String, CaseIterable, Sendable {
  case malformedRequest
  case malformedBody
  case badParameter
  case notVerified
  case unauthenticated
  case wrongOrigin
  case scopeMissing
  case appForbidden
  case environmentForbidden
  case unknownRoute
  case unknownApp
  case unknownProduct
  case unknownPurchase
  case notLinked
  case unknownAuthorization
  case unknownDebt
  case unknownRunningCost
  case unknownPayout
  case unknownGrant
  case unknownWebhook
  case methodNotAllowed
  case ownedByAnother
  case idempotencyConflict
  case cursorUnknown
  case cursorExpired
  case alreadyClosed
  case runsAlready
  case payoutConflict
  case bodyTooLarge
  case tooManyItems
  case currencyMismatch
  case unitMismatch
  case forbiddenURL
  case rateLimited
  case internalError
  case overloaded
  case storeUnavailable

  /// The HTTP status; for a notification it decides whether Apple sends again.
  var status: Int {
    switch self {
    case .malformedRequest, .malformedBody, .badParameter, .notVerified: 400
    case .unauthenticated: 401
    case .wrongOrigin, .scopeMissing, .appForbidden, .environmentForbidden: 403
    case .unknownRoute, .unknownApp, .unknownProduct, .unknownPurchase, .notLinked,
      .unknownAuthorization,
      .unknownDebt, .unknownRunningCost, .unknownPayout, .unknownGrant, .unknownWebhook:
      404
    case .methodNotAllowed: 405
    case .ownedByAnother, .idempotencyConflict, .cursorUnknown, .alreadyClosed, .runsAlready,
      .payoutConflict:
      409
    case .cursorExpired: 410
    case .bodyTooLarge: 413
    case .tooManyItems, .currencyMismatch, .unitMismatch, .forbiddenURL: 422
    case .rateLimited: 429
    case .internalError: 500
    case .overloaded, .storeUnavailable: 503
    }
  }

  var title: String {
    switch self {
    case .malformedRequest: "The request cannot be read in one way only."
    case .malformedBody: "The body does not have the expected shape."
    case .badParameter: "A parameter has no usable value."
    case .notVerified: "The signed data does not verify."
    case .unauthenticated: "The request carries no usable API key."
    case .wrongOrigin: "The signed data is for an app or environment that is not configured."
    case .scopeMissing: "The key's scope does not allow this."
    case .appForbidden: "The key is not bound to this app."
    case .environmentForbidden: "The key is bound to the other environment."
    case .unknownRoute: "There is nothing at this path."
    case .unknownApp: "The app is not configured."
    case .unknownProduct: "The catalog does not list the product."
    case .unknownPurchase: "No fact tells of this purchase."
    case .notLinked: "The purchase is not linked to this customer."
    case .unknownAuthorization: "There is no such authorization."
    case .unknownDebt: "The customer has no such debt."
    case .unknownRunningCost: "The customer has no such running cost."
    case .unknownPayout: "There is no such payout."
    case .unknownGrant: "The customer has no such grant."
    case .unknownWebhook: "There is no such webhook endpoint."
    case .methodNotAllowed: "This path takes other methods."
    case .ownedByAnother: "The purchase belongs to another customer."
    case .idempotencyConflict: "The idempotency key was used with another request."
    case .cursorUnknown: "This ledger never told the event that the cursor names."
    case .cursorExpired: "Events after the cursor are no longer kept."
    case .alreadyClosed: "The authorization was closed in another way."
    case .runsAlready: "It runs already, on other terms."
    case .payoutConflict: "The payout was stated otherwise, or its state does not allow it."
    case .bodyTooLarge: "The body is too large."
    case .tooManyItems: "There are too many items in one request."
    case .currencyMismatch: "The currency differs from the authorization's."
    case .unitMismatch: "What is used is counted in another unit."
    case .forbiddenURL: "Nothing is sent to this address."
    case .rateLimited: "Too many requests."
    case .internalError: "The server failed."
    case .overloaded: "Too much is in flight."
    case .storeUnavailable: "The store cannot keep anything at the moment."
    }
  }
}
