import AppStoreModel
import Foundation

/// A signed text of the simulated store, with what StoreKit's check says of it.
struct SimulatedText {
  let jws: String
  let json: [UInt8]
  let failure: String?
}

/// A state of the simulated store with what stands beside it.
struct SimulatedStatus {
  let state: SubscriptionStatus
  let transaction: SimulatedPurchase
  let renewal: SimulatedRenewal?
}

/// Why the simulated store gives no answer.
enum SimulatedFailure: Error {
  case offline
  case notSignedIn
  case cancelled
}

extension SimulatedDevice {
  func text(_ purchase: SimulatedPurchase) -> SimulatedText {
    var json = mutate { $0.payload(purchase) }.json()
    if mutate({ $0.switches.signsLikeXcode }) { json = Self.withFractions(json) }
    return SimulatedText(jws: signed(json), json: json, failure: purchase.failure)
  }

  func text(_ renewal: SimulatedRenewal) -> SimulatedText {
    let json = mutate { $0.payload(renewal) }.json()
    return SimulatedText(jws: signed(json), json: json, failure: nil)
  }

  func signed(_ json: [UInt8]) -> String {
    mutate({ $0.switches.signsLikeXcode }) ? Self.likeXcode(json) : sign(json)
  }

  /// Xcode's header names its own key and holds one certificate, where Apple's has three.
  private static func likeXcode(_ json: [UInt8]) -> String {
    let header = #"{"alg":"ES256","kid":"Apple_Xcode_Key","typ":"JWT","x5c":["c2ltdWxhdGVk"]}"#
    return compact(Array(header.utf8), json)
  }

  /// Xcode signs dates with a fraction.
  private static func withFractions(_ json: [UInt8]) -> [UInt8] {
    let text = String(decoding: json, as: UTF8.self)
    guard let place = text.range(of: #""purchaseDate":"#) else { return json }
    let end = text[place.upperBound...].firstIndex { $0 == "," || $0 == "}" } ?? text.endIndex
    return Array((text[..<end] + ".7297" + text[end...]).utf8)
  }

  /// A finite sequence, read by this task.
  func read(
    _ listing: (SimulatedStore) -> [SimulatedPurchase],
    _ note: (inout Counts) -> Void = { _ in }
  ) -> [SimulatedPurchase] {
    locked {
      note(&counts)
      if store.switches.cancelledReadsAreEmpty && Task.isCancelled { return [] }
      return listing(store)
    }
  }

  func readHistory() -> [SimulatedPurchase] {
    read(\.history) {
      $0.histories += 1
      if self.store.owner == nil { $0.signInPrompts += 1 }
    }
  }

  func readListed() -> [SimulatedPurchase] {
    read(\.listed) {
      $0.listings += 1
      if self.listeners.isEmpty { $0.unheardListings += 1 }
    }
  }

  func readStatuses(ofGroup group: String) throws(SimulatedFailure) -> [SimulatedStatus] {
    let store = mutate { $0 }
    if store.switches.cancelledReadsAreEmpty && Task.isCancelled { return [] }
    if store.switches.statusesThrow { throw .offline }
    if store.owner == nil { throw .notSignedIn }
    return store.chains(ofGroup: group).compactMap { status(of: $0, in: store) }
  }

  func status(of originalID: String, in store: SimulatedStore) -> SimulatedStatus? {
    guard let newest = store.shown(of: originalID) else { return nil }
    return SimulatedStatus(
      state: store.state(of: originalID), transaction: newest,
      renewal: store.renewals[originalID])
  }

  func appTransactionJSON() throws(SimulatedFailure) -> [UInt8] {
    let store = mutate { $0 }
    if store.owner == nil { throw .notSignedIn }
    return store.appPayload.json()
  }

  func finish(_ id: String) {
    locked {
      counts.finished.append(id)
      guard let place = store.purchases.firstIndex(where: { $0.id == id }) else { return }
      store.purchases[place].isFinished = true
    }
  }

  func sync() throws(SimulatedFailure) {
    let (isOffline, isSignedOut) = locked {
      counts.syncs += 1
      return (store.switches.isOffline, store.owner == nil)
    }
    if isOffline { throw .offline }
    if isSignedOut { throw .notSignedIn }
    mutate { $0.unfinishLast() }
  }
}

extension SimulatedStore {
  /// What the store was seen to do at a fetch on request.
  fileprivate mutating func unfinishLast() {
    guard switches.syncUnfinishesLast,
      let place = purchases.lastIndex(where: { $0.owner == owner && $0.isFinished })
    else { return }
    purchases[place].isFinished = false
  }
}
