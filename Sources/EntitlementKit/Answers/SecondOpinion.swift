public import Foundation

/// Asks the developer's server where the device may be blind.
///
/// For fewer than one customer in a hundred StoreKit never shows a renewal until the app is installed
/// again. So where a subscription seems to have ended though nothing says why, the server is asked, at
/// most once an hour. What it grants holds for a day at most, only for a subscription whose earlier
/// period this device knows, and never against a revocation.
public typealias SecondOpinion = @Sendable (SecondOpinionQuestion) async -> SecondOpinionAnswer

/// What the server is asked.
public struct SecondOpinionQuestion: Hashable, Sendable {
  /// The right that is in doubt.
  public let entitlementID: String
  /// The newest transaction of the subscription that this device knows.
  public let transactionID: String
  /// The same as the App Store signed it: the server need not believe the device.
  public let signedTransaction: String
}

/// What the server says.
public enum SecondOpinionAnswer: Hashable, Sendable {
  /// Apple tells the server that it runs until then.
  case entitled(until: Date)
  /// Apple tells the server that it is over: the device's answer stays.
  case notEntitled
  /// The server could not be asked, or does not know.
  case noAnswer
}
