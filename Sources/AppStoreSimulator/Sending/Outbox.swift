package import AppStoreModel

/// What the App Store has to deliver, and what came of it.
///
/// Pure: it says what to post and is told what happened. The same seed always meets the same faults.
package struct Outbox: Sendable {
  package let environment: AppStoreEnvironment
  package var faults: DeliveryFaults
  /// In the order in which they were made.
  package private(set) var notifications: [OutgoingNotification] = []

  private var dice: SeededGenerator
  private var queue = DueQueue<Int>()
  private var known: [String: Int] = [:]

  package init(
    in environment: AppStoreEnvironment, faults: DeliveryFaults = DeliveryFaults(), seed: UInt64
  ) {
    self.environment = environment
    self.faults = faults
    dice = SeededGenerator(seed: seed ^ 0x0B0C)
  }

  /// Takes a notification to deliver at its `signedDate`, later if it or a fault is late.
  package mutating func add(_ notification: UnsignedNotification) {
    let date = notification.payload.signedDate ?? .distantPast
    let late = isMet(faults.delayedPerMille)
    let span = max(1, faults.greatestDelay.milliseconds)
    let delay = late ? Int64.random(in: 1...span, using: &dice) : 0
    let isDropped = isMet(faults.droppedPerMille)
    let due = date.adding(notification.delay).adding(TimeSpan(milliseconds: delay))
    let uuid = notification.payload.notificationUUID ?? ""
    append(notification, due, isCopy: known[uuid] != nil, isDropped: isDropped)
    if isMet(faults.duplicatedPerMille), !isDropped {
      append(notification, due, isCopy: true, isDropped: false)
    }
  }

  private mutating func append(
    _ notification: UnsignedNotification, _ due: Timestamp, isCopy: Bool, isDropped: Bool
  ) {
    let index = notifications.count
    if !isCopy { known[notification.payload.notificationUUID ?? ""] = index }
    notifications.append(
      OutgoingNotification(
        notification: notification, dueAt: due, isCopy: isCopy, isDropped: isDropped))
    queue.set(due, for: index)
  }

  private mutating func isMet(_ perMille: Int) -> Bool {
    perMille > 0 && Int.random(in: 0..<1_000, using: &dice) < perMille
  }

  /// Lets the receiver go down at a moment, or come back.
  mutating func setOutage(_ isDown: Bool, at moment: Timestamp) {
    faults.outages = faults.outages.compactMap { outage in
      if outage.upperBound <= moment { return outage }
      return outage.lowerBound < moment ? outage.lowerBound..<moment : nil
    }
    if isDown { faults.outages.append(moment..<Timestamp.distantFuture) }
  }

  /// When something is to be sent next, absent when nothing is.
  package func nextDue() -> Timestamp? {
    queue.first?.date
  }

  /// The next post that is due, after noting what is lost without one.
  ///
  /// ``record(_:of:)`` must say what came of it before the next is taken.
  package mutating func next(until now: Timestamp) -> Transmission? {
    while let (due, index) = queue.first, due <= now {
      if notifications[index].isDropped {
        note(SendAttempt(date: due, result: .success), index)
      } else if faults.isDown(at: due) {
        note(SendAttempt(date: due, result: .noResponse), index)
      } else {
        return transmission(index, due)
      }
    }
    return nil
  }

  private func transmission(_ index: Int, _ due: Timestamp) -> Transmission {
    let outgoing = notifications[index]
    let attempt = outgoing.attempts.count + 1
    let isFresh = attempt > 1 && faults.resignsRetries
    return Transmission(
      index: index, attempt: attempt, date: due,
      notification: isFresh ? outgoing.notification.signedAgain(at: due) : outgoing.notification)
  }

  /// Notes what came of a post.
  package mutating func record(_ result: SendAttempt.Result, of transmission: Transmission) {
    note(SendAttempt(date: transmission.date, result: result), transmission.index)
  }

  private mutating func note(_ attempt: SendAttempt, _ index: Int) {
    notifications[index].attempts.append(attempt)
    let next = RetryTimetable.next(after: notifications[index].attempts, in: environment)
    notifications[index].dueAt = next
    queue.set(next, for: index)
  }

  /// The first copy of a notification, absent for an unknown UUID.
  package func notification(_ uuid: String) -> OutgoingNotification? {
    known[uuid].map { notifications[$0] }
  }
}

extension UnsignedNotification {
  /// The same news with the date of a later signature.
  func signedAgain(at now: Timestamp) -> UnsignedNotification {
    var copy = self
    copy.payload.signedDate = now
    copy.transaction?.signedDate = now
    copy.renewal?.signedDate = now
    return copy
  }
}
