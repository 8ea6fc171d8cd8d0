import AppStoreModel

extension TransactionState {
  init(first copy: TransactionCopy, _ channel: Channel) {
    let isFromAPI = channel.isAppleAPI
    self.init(
      newest: copy, firstSigned: copy.signedDate, newestFromAPI: isFromAPI ? copy : nil,
      newestCleanFromAPI: isFromAPI && copy.revocation == nil ? copy : nil, isContested: false)
  }

  func joined(with copy: TransactionCopy, _ channel: Channel) -> TransactionState {
    var state = self
    state.firstSigned = min(firstSigned, copy.signedDate)
    if copy != newest, copy.signedDate >= newest.signedDate {
      state.isContested = copy.signedDate == newest.signedDate
      state.newest = TransactionCopy.later(newest, copy)
    }
    guard channel.isAppleAPI else { return state }
    state.newestFromAPI = TransactionCopy.later(newestFromAPI, copy)
    if copy.revocation == nil {
      state.newestCleanFromAPI = TransactionCopy.later(newestCleanFromAPI, copy)
    }
    return state
  }
}

extension TransactionCopy {
  /// The one signed later; at equal clocks the revoked one, then the greater hash.
  static func later(_ left: TransactionCopy?, _ right: TransactionCopy) -> TransactionCopy {
    guard let left, left != right else { return right }
    if left.signedDate != right.signedDate {
      return left.signedDate < right.signedDate ? right : left
    }
    if (left.revocation == nil) != (right.revocation == nil) {
      return left.revocation == nil ? right : left
    }
    return left.fingerprint < right.fingerprint ? right : left
  }
}
