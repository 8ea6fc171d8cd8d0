package import AppStoreModel

/// Why Apple gave no answer; never a statement about a purchase.
package enum QuestionFailure: Error, Hashable, Sendable {
  /// Apple knows no such transaction here, or no such customer.
  case notFound(code: Int64)
  /// Too much was asked.
  case limited(until: Timestamp)
  /// Apple knows the page or revision no more: the walk begins anew.
  case pageExpired
  /// An answer that is not signed as it must be, or is about something else.
  case unproved(detail: String)
  /// The pages that it answers lead nowhere: the walk begins anew.
  case endlessPages(detail: String)
  /// Apple keeps nothing from as long ago as the window begins.
  case startRefused
  /// It says so of a window that by this machine's clock is none too old.
  case clocksDiffer
  /// The key, the clock, or an app that was never released.
  case unauthorized(detail: String)
  /// No answer, or one that is no answer: 5xx, a page of HTML, a broken connection.
  case unavailable(detail: String)
  /// Apple will never answer this question.
  case refused(code: Int64?, detail: String)
  case cancelled
}

extension QuestionFailure {
  /// Whether the same question may be answered later.
  package var isTransient: Bool {
    switch self {
    case .limited, .unauthorized, .unavailable, .cancelled, .pageExpired, .endlessPages,
      .startRefused,
      .unproved:
      true
    case .notFound, .refused, .clocksDiffer: false
    }
  }

  /// Whether it is an answer that nobody can use.
  var isFault: Bool {
    switch self {
    case .unproved, .endlessPages, .pageExpired: true
    default: false
    }
  }

  /// Whether the walk that met it begins anew.
  var isFromStart: Bool {
    switch self {
    case .endlessPages, .pageExpired: true
    default: false
    }
  }

  var isNotFound: Bool {
    if case .notFound = self { true } else { false }
  }

  /// What the operator should do next.
  package var advice: String {
    switch self {
    case .notFound: "Nothing: it is asked again later, and what is known stays."
    case .limited: "Nothing: it goes on when Apple allows; a smaller budgetPercent asks less."
    case .pageExpired, .startRefused: "Nothing: the walk begins anew."
    case .unproved:
      "Compare root, apps and environments in the configuration, and look for a proxy between this "
        + "machine and Apple. Nothing of the answer was taken; it is asked for again."
    case .endlessPages:
      "Nothing at first: the walk begins anew, after ever longer pauses. If it lasts, look for a proxy "
        + "between this machine and Apple."
    case .clocksDiffer:
      "Let this machine's clock follow a time server. A simulated App Store that travelled in time cannot "
        + "be compared with a ledger on real time: start it anew."
    case .unauthorized:
      "Check keyFile, keyId, issuerId, the bundle id and this machine's clock; an app that was "
        + "never released is refused in Production."
    case .unavailable: "Nothing: it is asked again; look at the network if it lasts."
    case .refused: "Report this with the log line: the question itself was not accepted."
    case .cancelled: "Start it again: it goes on where it stopped."
    }
  }
}

extension QuestionFailure: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notFound(let code): "Apple knows no such transaction (\(code))"
    case .limited: "Apple's rate limit is reached"
    case .pageExpired: "Apple's token of the next page has expired"
    case .unproved(let detail): "an answer of Apple's is not to be believed: \(detail)"
    case .endlessPages(let detail): "Apple's pages do not come to an end: \(detail)"
    case .startRefused: "Apple keeps no notifications from so long ago (4000012)"
    case .clocksDiffer:
      "the App Store's clock is ahead of this machine's: it keeps no notifications from as long ago as "
        + "it should by this clock (4000012)"
    case .unauthorized(let detail): "Apple does not accept the key: \(detail)"
    case .unavailable(let detail): "Apple gave no answer: \(detail)"
    case .refused(let code, let detail):
      "Apple refused the question\(code.map { " (\($0))" } ?? ""): \(detail)"
    case .cancelled: "it was cancelled"
    }
  }
}
