package import AppStoreModel
import EntitlementKit
public import Foundation

/// A device with a store of its own, moved by an app's own tests: no network, no Apple account, and a
/// clock that stands still until it is told otherwise.
///
/// It feeds the kit below StoreKit, on Apple's systems and on Linux alike. What it signs is signed by
/// nobody: no server takes it, and no answer of it reaches a real customer.
public final class SimulatedDevice: @unchecked Sendable {
  package typealias Signer = @Sendable ([UInt8]) -> String

  let lock = NSRecursiveLock()
  var store: SimulatedStore
  var listeners: [Int: AsyncStream<SimulatedPurchase>.Continuation] = [:]
  var statusListeners: [Int: AsyncStream<String>.Continuation] = [:]
  var intentListeners: [Int: AsyncStream<String>.Continuation] = [:]
  var messageListeners: [Int: AsyncStream<Int>.Continuation] = [:]
  /// What was begun outside of the app while nobody heard it.
  var waitingIntents: [String] = []
  /// What the App Store shows of the app's products: in order, hidden or not, or as it decides itself.
  package var promotions: [SimulatedPromotion] = []
  var nextListener = 0
  var sleepers: [(id: Int, until: Timestamp, wake: CheckedContinuation<Void, Never>)] = []
  var nextSleeper = 0
  var counts = Counts()
  var isQuiet = false
  var purchaseSheet = PurchaseSheet.confirm
  var askedFor: [String] = []
  let signer: Signer

  /// How often the kit asked, for tests of what it must not do.
  package struct Counts: Hashable, Sendable {
    package var listings = 0
    package var histories = 0
    package var syncs = 0
    package var finished: [String] = []
    /// A history was read while nobody was signed in: the system asks for an account.
    package var signInPrompts = 0
    package var greatestListeners = 0
    /// What was unfinished when somebody began to listen.
    package var handedOver: [String] = []
    /// Listings that were read while nobody listened: what is announced meanwhile is lost.
    package var unheardListings = 0
  }

  /// A device whose customer is signed in and owns nothing.
  public convenience init(bundleID: String = "com.example.app") {
    self.init(
      bundleID: bundleID, now: Timestamp(millisecondsSince1970: 1_790_000_000_000),
      signer: SimulatedDevice.unsigned)
  }

  package init(bundleID: String, now: Timestamp, signer: @escaping Signer) {
    store = SimulatedStore(bundleID: bundleID, now: now, owner: "701000000000000001")
    self.signer = signer
  }

  /// The moment that the device's clock shows.
  public var now: Date { Date(moment) }

  package var moment: Timestamp { locked { store.now } }

  package var count: Counts { locked { counts } }

  /// Changes the store behind the device's back, as the App Store does.
  package func mutate<Value>(_ body: (inout SimulatedStore) -> Value) -> Value {
    locked { body(&store) }
  }

  func locked<Value>(_ body: () -> Value) -> Value {
    lock.lock()
    defer { lock.unlock() }
    return body()
  }

  /// Signed by nobody.
  package static let unsigned: Signer = { payload in
    let header = Data(#"{"alg":"none","typ":"simulated"}"#.utf8)
    return compact([UInt8](header), payload)
  }

  /// The form of a JWS, with a signature that is none.
  static func compact(_ header: [UInt8], _ payload: [UInt8]) -> String {
    [header, payload, Array("unsigned".utf8)].map { part in
      Data(part).base64EncodedString().replacingOccurrences(of: "+", with: "-")
        .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
    }.joined(separator: ".")
  }

  /// Every text under its name, so that the same content is signed once.
  var signedTexts: [[UInt8]: String] = [:]

  func sign(_ json: [UInt8]) -> String {
    locked {
      if let known = signedTexts[json] { return known }
      let text = signer(json)
      signedTexts[json] = text
      return text
    }
  }
}
