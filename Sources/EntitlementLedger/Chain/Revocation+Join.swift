import AppStoreModel

extension Revocation {
  init(_ key: RevocationKey, _ copy: TransactionCopy, _ channel: Channel) {
    self.init(
      key: key, refundSeen: false, revokeSeen: false, firstShown: copy.signedDate,
      lastShownByAPI: channel.isAppleAPI ? copy.signedDate : nil, newestShowing: copy)
  }

  func joined(with copy: TransactionCopy, _ channel: Channel) -> Revocation {
    var revocation = self
    revocation.firstShown = min(firstShown, copy.signedDate)
    if channel.isAppleAPI {
      revocation.lastShownByAPI = max(lastShownByAPI ?? copy.signedDate, copy.signedDate)
    }
    revocation.newestShowing = TransactionCopy.later(newestShowing, copy)
    return revocation
  }
}
