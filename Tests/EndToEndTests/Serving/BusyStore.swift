import AppStoreModel
import AppStoreSimulator

/// A simulated App Store with much to say, signed.
struct BusyStore {
  let root: [UInt8]
  let app: SimulatedApp
  /// In the order in which the store said them, each of them once.
  let notifications: [String]

  /// Plays a life of each customer that says five things: two purchases, a renewal, a refund, its
  /// reversal or the end of renewing.
  init(customers: Int, seed: UInt64 = 1) throws {
    let authority = CertificateAuthority(seed: seed)
    var stage = Stage(
      SimulatedAppStore(seed: seed), at: Timestamp(millisecondsSince1970: 1_780_000_000_000))
    for number in 0..<customers {
      let customer = stage.store.enroll("customer \(number)")
      let subscription = try stage.buy(.pro, customer)
      let themes = try stage.buy(.themes, customer)
      let renewal = try stage.store.renew(subscription, at: stage.now.adding(.days(29)))
      try stage.store.refund(number % 2 == 0 ? themes : renewal, at: stage.now.adding(.days(30)))
      if number % 3 == 0 {
        try stage.store.reverseRefund(
          of: number % 2 == 0 ? themes : renewal, at: stage.now.adding(.days(31)))
      } else {
        try stage.store.setAutoRenewal(false, of: subscription, at: stage.now.adding(.days(31)))
      }
    }
    let signer = NotificationSigner(JWSSigner(authority))
    root = authority.root.der
    app = stage.store.app
    notifications = stage.store.notifications.map(signer.sign)
  }

  func site() throws -> ServedSite {
    try ServedSite(
      apps: [.init(bundleId: app.bundleId, appAppleId: app.appAppleId)], root: root)
  }
}
