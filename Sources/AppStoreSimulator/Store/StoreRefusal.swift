/// Why the simulated App Store does not do what a story asks of it.
package enum StoreRefusal: Error, Hashable, Sendable {
  case unknownProduct(String)
  case unknownTransaction(String)
  case notASubscription(String)
  case alreadySubscribed(group: String)
  case anotherGroup(String)
  case notFamilyShareable(String)
  case notFamilyShared(String)
  case alreadyRevoked(String)
  case notRefunded(String)
  case notPaidYet(String)
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
    case .notFamilyShared(let id): "Transaction \(id) was bought, not shared."
    case .alreadyRevoked(let id): "Transaction \(id) is already refunded or revoked."
    case .notRefunded(let id): "Transaction \(id) is not refunded."
    case .notPaidYet(let id): "The payment for \(id) has not failed."
    }
  }
}
