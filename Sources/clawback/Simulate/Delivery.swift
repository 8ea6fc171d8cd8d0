import AppStoreModel
import AppStoreSimulator

/// What came of one post.
struct Delivery {
  /// Absent when there was no answer.
  let status: Int?
  /// Absent when there was an answer.
  let failure: String?
  let time: Duration
  /// When it was posted.
  let date: Timestamp

  var isAccepted: Bool { status.map(NotificationPoster.isAccepted) ?? false }

  /// Posts everything, one after the other.
  static func all(of performance: Performance, to url: String) throws -> [Delivery] {
    let poster = try NotificationPoster(url: url)
    return performance.messages.map { post($0, with: poster) }
  }

  private static func post(
    _ message: Performance.Message, with poster: NotificationPoster
  ) -> Delivery {
    let start = ContinuousClock.now
    let date = WallClock.now
    do throws(PostingFailure) {
      let status = try poster.post(message.signedPayload)
      return Delivery(status: status, failure: nil, time: ContinuousClock.now - start, date: date)
    } catch {
      return Delivery(
        status: nil, failure: error.description, time: ContinuousClock.now - start,
        date: date)
    }
  }
}
