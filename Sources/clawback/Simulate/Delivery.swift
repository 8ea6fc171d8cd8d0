import AppStoreModel
import AppStoreSimulator

/// What came of sending one notification once.
struct Delivery {
  /// What a receiver that checks everything does.
  enum Expectation: String {
    case taken
    case refused
    case either

    init(of notification: UnsignedNotification) {
      guard let forgery = notification.forgery else {
        self = .taken
        return
      }
      self = forgery.mustBeRefused ? .refused : .either
    }
  }

  /// What a receiver says of a refusal.
  ///
  /// Source: RFC 9457, and the members `code` and `rule` of this server's problems.
  struct Problem: Encodable {
    let code: String?
    let detail: String?
    let rule: String?
  }

  let message: Performance.Message
  /// Whether it left at all.
  let isPosted: Bool
  /// From 1.
  var attempt = 1
  /// Absent when there was no answer.
  var status: Int?
  /// Absent when there was an answer.
  var failure: String?
  var problem: Problem?
  var time = Duration.zero
  /// When it was posted.
  let date: Timestamp

  var isAccepted: Bool { status.map(NotificationPoster.isAccepted) ?? false }

  var isAsExpected: Bool {
    switch message.expectation {
    case .taken: isAccepted
    case .refused: !isAccepted
    case .either: status != nil
    }
  }

  /// Begins the mark of what a receiver must not do.
  static let alarm = "!!"

  /// Whether a forgery was taken, and what else is not as with an ordinary notification; mostly empty.
  var mark: String {
    let name = message.label.forgery.map { ": \($0)" } ?? ""
    return switch message.expectation {
    case .refused where isAccepted: "\(Self.alarm) forgery taken\(name)"
    case .refused: "forgery refused\(name)"
    case .either: "either is right\(name)"
    case .taken where isPosted && !isAccepted: "not taken"
    case .taken: ""
    }
  }

  /// Posts everything, one after the other.
  static func all(
    of performance: Performance, to url: String, on console: Console
  ) throws -> [Delivery] {
    let poster = try NotificationPoster(url: url)
    var bar = ProgressBar("posting", of: performance.messages.count, on: console)
    let deliveries = performance.messages.enumerated().map { place, message in
      bar.report(place)
      return Delivery(posting: message, with: poster)
    }
    bar.finish()
    return deliveries
  }

  /// One that was never posted.
  init(message: Performance.Message, failure: String, date: Timestamp) {
    self.message = message
    isPosted = false
    self.failure = failure
    self.date = date
  }

  init(posting message: Performance.Message, with poster: NotificationPoster) {
    self.message = message
    isPosted = true
    let text = message.signedPayload
    date = WallClock.now
    let start = ContinuousClock.now
    do throws(PostingFailure) {
      let answer = try poster.deliver(text)
      status = answer.status
      if !NotificationPoster.isAccepted(answer.status) { problem = Problem(json: answer.body) }
    } catch {
      failure = error.description
    }
    time = ContinuousClock.now - start
  }
}

extension Delivery.Problem {
  /// `nil` for an answer that says nothing of the kind.
  init?(json: [UInt8]) {
    guard let value = try? JSONValue(json: json), case .object = value else { return nil }
    code = value["code"]?.string
    detail = value["detail"]?.string
    rule = value["rule"]?.string
    if code == nil, detail == nil, rule == nil { return nil }
  }

  /// Shape: one line.
  var text: String {
    let names = [code, rule.map { "rule \($0)" }].compactMap { $0 }.joined(separator: ", ")
    return [names.isEmpty ? nil : names, detail].compactMap { $0 }.joined(separator: ": ")
  }
}
