package import AppStoreModel

extension SimulatedAppStore {
  /// Gives a family member a share of a purchase: SUBSCRIBED or ONE_TIME_CHARGE, FAMILY_SHARED.
  ///
  /// - Returns: the member's own `transactionId`.
  @discardableResult
  package mutating func share(
    _ transactionId: String, with member: Customer, at now: Timestamp
  ) throws(StoreRefusal) -> String {
    let product = try sharedProduct(of: transactionId)
    let purchase = try transaction(transactionId)
    guard purchase.customer.name != member.name else { throw .ownPurchase(member.name) }
    guard purchase.customer.family == member.family else { throw .anotherFamily(member.name) }
    return try give(transactionId, product, to: member, as: .familyShared, at: now)
  }

  /// What a family gets with a purchase.
  ///
  /// - Throws: the ``StoreRefusal`` of what cannot be shared, whoever the family is.
  func sharedProduct(of transactionId: String) throws(StoreRefusal) -> SimulatedProduct {
    let purchase = try transaction(transactionId).payload
    let product = try product(purchase.productId ?? "")
    guard product.isFamilyShareable else { throw .notFamilyShareable(product.id) }
    guard purchase.revocationDate == nil else { throw .alreadyRevoked(transactionId) }
    return product
  }

  /// Ends a family member's share while the payer keeps paying: REVOKE.
  package mutating func stopSharing(
    _ transactionId: String, at now: Timestamp
  ) throws(StoreRefusal) {
    let share = try transaction(transactionId)
    guard share.sharedFrom != nil, share.payload.inAppOwnershipType == .familyShared else {
      throw .notFamilyShared(transactionId)
    }
    try revoke(transactionId, .familyRevoke, .other, nil, at: now)
    notify(.revoke, about: transactionId, at: now)
  }

  /// Gives somebody a seat of a subscription that was bought by the seat: SUBSCRIBED, ASSIGNED.
  ///
  /// - Returns: the member's own `transactionId`.
  @discardableResult
  package mutating func assign(
    _ transactionId: String, to member: Customer, at now: Timestamp
  ) throws(StoreRefusal) -> String {
    let purchase = try transaction(transactionId).payload
    guard let payer = subscription(of: transactionId), payer.seats > 1 else {
      throw .notSoldBySeat(transactionId)
    }
    let taken = shares(of: payer.originalTransactionId).filter(isShared)
    guard taken.count < Int(payer.seats) else { throw .noSeatLeft(transactionId) }
    let product = try product(purchase.productId ?? "")
    return try give(transactionId, product, to: member, as: .assigned, at: now)
  }

  /// Takes a seat away: REVOKE with ASSIGNMENT_REVOKE.
  package mutating func unassign(
    _ transactionId: String, at now: Timestamp
  ) throws(StoreRefusal) {
    guard try transaction(transactionId).payload.inAppOwnershipType == .assigned else {
      throw .notAssigned(transactionId)
    }
    try revoke(transactionId, .assignmentRevoke, .other, nil, at: now)
    notify(.revoke, about: transactionId, at: now)
  }

  private mutating func give(
    _ transactionId: String, _ product: SimulatedProduct, to member: Customer,
    as ownership: InAppOwnershipType, at now: Timestamp
  ) throws(StoreRefusal) -> String {
    let purchase = try transaction(transactionId).payload
    var payload = newPayload(product, member, offer: nil, at: now)
    payload.becomeShare(until: purchase.expiresDate, as: ownership)
    let id = keep(payload, of: member, continuing: nil, sharedFrom: transactionId, at: now)
    guard let group = product.group else {
      notify(.oneTimeCharge, about: id, at: now)
      return id
    }
    begin(
      product, group, member, with: id, sharedFrom: purchase.originalTransactionId, as: ownership,
      at: now)
    notify(.subscribed, .initialBuy, about: id, at: now)
    return id
  }

  func isShared(_ share: Subscription) -> Bool {
    share.transactionIds.last.flatMap { transactions[$0]?.payload.revocationDate } == nil
  }

  /// The members who share a transaction and have not lost it.
  func members(sharing transactionId: String) -> [String] {
    register.copies(of: transactionId).filter { transactions[$0]?.payload.revocationDate == nil }
  }
}
