import AppStoreModel
import AppStoreSimulator

/// Sends a story as the App Store would: what the scenario plans to go wrong does, and what is not
/// taken comes again by Apple's timetable.
///
/// Hours and days pass on the story's own clock, so that nobody waits for them.
enum TimetabledDelivery {
  static func all(
    of performance: Performance, _ played: Performance.Played, to url: String,
    on console: Console
  ) throws -> [Delivery] {
    let poster = try NotificationPoster(url: url)
    let signer = NotificationSigner(performance.signer)
    var outbox = Outbox(
      in: played.store.app.environment,
      faults: DeliveryFaults(played.faults, from: played.start), seed: performance.seed)
    for notification in played.store.notifications { outbox.add(notification) }
    var posted: [Place: Delivery] = [:]
    // How often each comes again is not known beforehand.
    var bar = ProgressBar("posting", on: console)
    while let sent = outbox.next(until: .distantFuture) {
      bar.report(posted.count)
      let message = Performance.Message(
        sent.notification, of: played.store, signed: signer.sign(sent.notification))
      var delivery = Delivery(posting: message, with: poster)
      delivery.attempt = sent.attempt
      posted[Place(index: sent.index, attempt: sent.attempt)] = delivery
      let result = delivery.status.map { SendAttempt.Result(status: $0) } ?? .noResponse
      outbox.record(result, of: sent)
    }
    bar.finish()
    return told(outbox, posted, of: played.store)
  }

  private struct Place: Hashable {
    let index: Int
    let attempt: Int
  }

  /// Every attempt in the order of the story's clock, those too that never left.
  private static func told(
    _ outbox: Outbox, _ posted: [Place: Delivery], of store: SimulatedAppStore
  ) -> [Delivery] {
    let attempts = outbox.notifications.enumerated().flatMap { index, outgoing in
      outgoing.attempts.enumerated().map { number, attempt in
        (date: attempt.date, index: index, number: number + 1, result: attempt.result)
      }
    }
    return attempts.sorted { ($0.date, $0.index) < ($1.date, $1.index) }.map { attempt in
      if let known = posted[Place(index: attempt.index, attempt: attempt.number)] { return known }
      let message = Performance.Message(
        outbox.notifications[attempt.index].notification, of: store, signed: "")
      var delivery = Delivery(
        message: message,
        failure: attempt.result == .success
          ? "lost on the way, as planned" : "nobody answers, as planned", date: attempt.date)
      delivery.attempt = attempt.number
      return delivery
    }
  }
}

extension Performance.Played {
  /// Whether anything goes wrong on the way to the receiver.
  var concernsDelivery: Bool {
    var others = faults
    others.calls = []
    return others != PlannedFaults() || store.notifications.contains { $0.delay > .zero }
  }
}
