/// Why the simulated App Store does not do what a story asks of it.
package enum StoreRefusal: Error, Hashable, Sendable {
  case unknownProduct(String)
  case unknownTransaction(String)
  case notASubscription(String)
  case alreadySubscribed(group: String)
  case anotherGroup(String)
  case notFamilyShareable(String)
  case anotherFamily(String)
  case ownPurchase(String)
  case nameTaken(String)
  case notBetter(String)
  case notFamilyShared(String)
  case notSoldBySeat(String)
  case noSeatLeft(String)
  case notAssigned(String)
  case alreadyRevoked(String)
  case notRefunded(String)
  case notPaidYet(String)
  case noPriceIncrease(String)
  case noRefundRequest(String)
  case notExtendable(ExtensionRefusal)
  case notAdvancedCommerce(String)
  case unknownItem(Int)
  /// A story speaks of a purchase that nobody made.
  case unknownPurchase(String)
  case noSuchPeriod(String, Int, of: Int)
  case neverSaid(String)
}

/// Why a renewal date cannot be moved.
package enum ExtensionRefusal: Hashable, Sendable {
  /// Not active, in billing trouble, or in a free offer.
  case ineligible
  /// Twice within 365 days already.
  case tooOften
  case familyShared
  case assigned
}

extension StoreRefusal: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unknownProduct(let id): "Nothing named \(id) is for sale."
    case .unknownTransaction(let id): "There is no transaction \(id)."
    case .notASubscription(let id): "\(id) is not an auto-renewable subscription."
    case .alreadySubscribed(let group): "The customer has a subscription of group \(group)."
    case .anotherGroup(let id): "\(id) is not of the subscription's group."
    case .notFamilyShareable(let id): "\(id) cannot be shared with a family."
    case .anotherFamily(let name): "\(name) is not of the buyer's family."
    case .ownPurchase(let name): "\(name) bought it: nobody shares with oneself."
    case .nameTaken(let name): "There is a customer \(name) already."
    case .notBetter(let id): "\(id) is no better product than the one that is paid for."
    case .notFamilyShared(let id): "Transaction \(id) was bought, not shared."
    case .notSoldBySeat(let id): "Transaction \(id) has no seats to give."
    case .noSeatLeft(let id): "Every seat of transaction \(id) is taken."
    case .notAssigned(let id): "Transaction \(id) is not a seat."
    case .alreadyRevoked(let id): "Transaction \(id) is already refunded or revoked."
    case .notRefunded(let id): "Transaction \(id) is not refunded."
    case .notPaidYet(let id): "The payment for \(id) has not failed."
    case .noPriceIncrease(let id): "No dearer price was announced for \(id)."
    case .noRefundRequest(let id): "Nobody asked for the money of transaction \(id)."
    case .notExtendable(let refusal): refusal.description
    case .notAdvancedCommerce(let id): "\(id) is not sold through Advanced Commerce."
    case .unknownItem(let number): "The transaction has no item \(number)."
    case .unknownPurchase(let name): "Nothing was bought under the name \(name)."
    case .neverSaid(let title): "No notification \(title) was sent before."
    case .noSuchPeriod(let name, let number, let count):
      "\(name) has \(count) periods, and the step speaks of number \(number)."
    }
  }
}

extension ExtensionRefusal: CustomStringConvertible {
  package var description: String {
    switch self {
    case .ineligible: "The subscription is not active and paid, so its end cannot be moved."
    case .tooOften: "The subscription's end was moved twice within 365 days."
    case .familyShared: "A family member's end moves with the buyer's."
    case .assigned: "A seat's end moves with the buyer's."
    }
  }
}
