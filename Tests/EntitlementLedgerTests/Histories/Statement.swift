import AppStoreModel
import EntitlementLedger

/// One fact of a history, in a test's words.
///
/// The naive ledger reads these as they are; the real
/// one gets them as payloads of Apple's.
enum Statement: Hashable, Sendable {
  case notice(Notice, Channel)
  case transaction(Copy, Channel)
  case renewal(RenewalNote, Channel)
  case report(Report)
}

/// A notification of Apple's.
struct Notice: Hashable, Sendable {
  var type: String
  var uuid: String
  /// The outer date; `nil` when the notification has none.
  var signed: Timestamp?
  var status: Int32?
  var copy: Copy?
  var renewal: RenewalNote?

  /// The outer date, or the latest inner one.
  var date: Timestamp {
    signed ?? max(copy?.signed ?? .distantPast, renewal?.signed ?? .distantPast)
  }
}

/// An unsigned status with the signed copies that came beside it.
struct Report: Hashable, Sendable {
  enum Source: Hashable, Sendable { case api, kit }

  var source: Source
  var status: Int32
  var copy: Copy
  var renewal: RenewalNote

  /// The later of the two inner dates.
  var date: Timestamp { max(copy.signed, renewal.signed) }
}

extension Statement {
  /// The latest date signed in it.
  var lastSigned: Timestamp {
    switch self {
    case .notice(let notice, _):
      max(
        notice.date, notice.copy?.signed ?? .distantPast, notice.renewal?.signed ?? .distantPast)
    case .transaction(let copy, _): copy.signed
    case .renewal(let renewal, _): renewal.signed
    case .report(let report): report.date
    }
  }
}

extension Timestamp {
  /// Day 0 is 2026-01-01T00:00:00Z.
  static func day(_ days: Int64, _ hours: Int64 = 0, _ minutes: Int64 = 0) -> Timestamp {
    Timestamp(millisecondsSince1970: 1_767_225_600_000)
      .adding(.days(days)).adding(.hours(hours)).adding(.minutes(minutes))
  }
}
