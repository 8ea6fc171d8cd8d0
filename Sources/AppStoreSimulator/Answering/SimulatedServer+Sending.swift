package import AppStoreModel

/// A post that is due, with the signature that it carries.
package struct SignedTransmission: Sendable {
  package let environment: AppStoreEnvironment
  package let transmission: Transmission
  package let signedPayload: String
}

extension SimulatedServer {
  /// The next post that is due by now, of either environment.
  ///
  /// ``record(_:of:)`` must say what came of it before the next is taken.
  package mutating func nextTransmission(at now: Timestamp) -> SignedTransmission? {
    settle(at: now)
    let moment = storeTime(at: now)
    let order = shelves.keys.sorted {
      let left = shelves[$0]?.outbox.nextDue() ?? .distantFuture
      return left < shelves[$1]?.outbox.nextDue() ?? .distantFuture
    }
    for environment in order {
      guard let next = shelves[environment]?.outbox.next(until: moment) else { continue }
      return SignedTransmission(
        environment: environment, transmission: next,
        signedPayload: signer.sign(next.notification))
    }
    return nil
  }

  /// Notes what came of a post.
  package mutating func record(_ result: SendAttempt.Result, of sent: SignedTransmission) {
    shelves[sent.environment]?.outbox.record(result, of: sent.transmission)
  }
}
