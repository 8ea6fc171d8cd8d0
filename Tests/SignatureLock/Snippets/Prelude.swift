import EntitlementKit
import EntitlementKitTesting
import Foundation

// What an app has around the snippets of the README and the articles.

func showProFeatures() {}

func leaveProScreens(_ entitlement: Entitlement) {}

struct Wallet: Sendable {
  func credit(_ transactionID: String, coins: Int) async -> Bool { true }
  func takeBack(_ transactionID: String, share: RevokedShare?) async {}
  func giveBack(_ transactionID: String) async {}
}

struct Backend: Sendable {
  func stillRuns(_ signedTransaction: String) async -> SecondOpinionAnswer { .noAnswer }
}
