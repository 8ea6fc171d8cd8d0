public import AppStoreModel
public import AppStoreVerification

/// Where a question goes, what may wait for it, and how long it may take.
public struct CallOptions: Hashable, Sendable {
  public var environment: ServerEnvironment
  public var urgency: Urgency
  /// How long the call may take in all: waiting for its turn, pauses and repeats included.
  public var patience: TimeSpan
  /// Whether it is sent at once and once, or not at all: no waiting for a turn, no rest, no repeat.
  ///
  /// For what must still be true when it is sent: who asks looks again before each attempt.
  public var isSingle: Bool

  public init(
    _ environment: ServerEnvironment, urgency: Urgency = .normal, patience: TimeSpan = .minutes(2),
    isSingle: Bool = false
  ) {
    self.environment = environment
    self.urgency = urgency
    self.patience = patience
    self.isSingle = isSingle
  }
}

/// Which questions go first when not all may go at once.
public enum Urgency: Int, CaseIterable, Hashable, Comparable, Sendable {
  /// A refund, a doubtful answer, or a deadline hangs on it.
  case urgent
  case normal
  /// Long walks that can wait; leaves a part of the budget to the others.
  case background

  public static func < (left: Urgency, right: Urgency) -> Bool {
    left.rawValue < right.rawValue
  }
}
